-- Keeps what a player has chosen: 1, or 0 where there is no room for another one. KEYS from 2 on: choices, counts by server. ARGV
-- from 2 on: player, server, blocked and hidden ('y', 'n', or '-' where it stays), players of whom a server may be the first to tell.
local before = redis.call('HGET', KEYS[2], ARGV[2])
if not before then
  if tonumber(redis.call('HGET', KEYS[3], ARGV[3]) or '0') >= tonumber(ARGV[6]) then return 0 end
  redis.call('HINCRBY', KEYS[3], ARGV[3], 1)
end
local now = ''
for at = 1, 2 do
  local told = ARGV[3 + at]
  now = now .. (told ~= '-' and told or string.sub(before or '--', at, at))
end
if now ~= before then redis.call('HSET', KEYS[2], ARGV[2], now) end
return 1
