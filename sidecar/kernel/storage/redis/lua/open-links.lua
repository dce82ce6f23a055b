-- Sessions with an open request whose name begins with a prefix, oldest first: {session, record, ...}.
-- KEYS: links, places, labels. ARGV: prefix, most.
local sessions
if ARGV[1] == '' then
  sessions = redis.call('ZRANGE', KEYS[2], 0, ARGV[2] - 1)
else
  sessions = redis.call('ZRANGEBYLEX', KEYS[3], '[' .. ARGV[1], '[' .. ARGV[1] .. '\255', 'LIMIT', 0, ARGV[2])
  table.sort(sessions, function(a, b)
    return tonumber(redis.call('ZSCORE', KEYS[2], a)) < tonumber(redis.call('ZSCORE', KEYS[2], b))
  end)
end
local found = {}
for _, session in ipairs(sessions) do
  found[#found + 1] = session
  found[#found + 1] = redis.call('HGET', KEYS[1], session) or ''
end
return found
