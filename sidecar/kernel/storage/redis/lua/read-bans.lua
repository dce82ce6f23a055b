-- Entries of the list of bans, {number, text, ...}. KEYS: entries, their numbers. ARGV: the number behind which, how many at most.
local found = redis.call('ZRANGE', KEYS[2], '(' .. ARGV[1], '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
for at = 1, #found, 2 do
  local text = redis.call('HGET', KEYS[1], found[at]) or ''
  found[at], found[at + 1] = found[at + 1], text
end
return found
