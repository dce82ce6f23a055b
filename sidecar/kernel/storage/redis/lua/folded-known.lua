-- Whether all names are folded: 1, or 0 where some may not be. KEYS: records, folded names, mark. ARGV: version, 'ended' once all
-- players were gone through. The mark counts the records without an entry: a damaged one has none, and an earlier build stores and
-- erases players without theirs.
local players = redis.call('HLEN', KEYS[1])
local mark = ARGV[1] .. ' ' .. (players - redis.call('HLEN', KEYS[2]))
if ARGV[2] == 'ended' then redis.call('SET', KEYS[3], mark) end
return (players == 0 or redis.call('GET', KEYS[3]) == mark) and 1 or 0
