-- Keeps entries of the list of bans if it still stands where it was decided on: 1, else 0. KEYS from 2 on: where it stands, entries,
-- their numbers. ARGV from 2 on: where it stood, where it stands then, the number before the first of these, how many go and their
-- keys, and key and text of each that comes.
if (redis.call('GET', KEYS[2]) or '') ~= ARGV[2] then return 0 end
local comes = 6 + tonumber(ARGV[5])
for at = 6, comes - 1 do
  redis.call('HDEL', KEYS[3], ARGV[at])
  redis.call('ZREM', KEYS[4], ARGV[at])
end
local n = tonumber(ARGV[4])
for at = comes, #ARGV, 2 do
  n = n + 1
  redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1])
  redis.call('ZADD', KEYS[4], n, ARGV[at])
end
redis.call('SET', KEYS[2], ARGV[3])
return 1
