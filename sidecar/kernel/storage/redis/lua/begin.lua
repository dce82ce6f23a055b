-- Registers a sidecar after its start or a reconnect: {'format', stored format} if it cannot read that, {'earlier', stored format,
-- number of running sidecars} if it can migrate it, {'token'} if another bridge uses the prefix, else {'ok', bridge id, when the data
-- was created}.
-- KEYS: meta, sidecars, web-chat, feed-floor. ARGV: format, bridge id to use if there is none, digest of the token, name, 'start' or
-- 'back', earlier formats, each between spaces.
local meta, sidecars = KEYS[1], KEYS[2]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local format = redis.call('HGET', meta, 'format')
local is_earlier = format and string.find(ARGV[6], ' ' .. format .. ' ', 1, true)
if format and not is_earlier and format ~= ARGV[1] then return {'format', format} end

local others, running = 0, 0
local known = redis.call('HGETALL', sidecars)
for i = 1, #known, 2 do
  local is, other = pcall(cjson.decode, known[i + 1])
  local at = is and type(other) == 'table' and tonumber(other.at) or 0
  if now - at > 60000 then redis.call('HDEL', sidecars, known[i])
  elseif now - at < 10000 then
    running = running + 1
    if known[i] ~= ARGV[4] then others = others + 1 end
  end
end
-- A sidecar with the same name may still run on the same machine.
if is_earlier then return {'earlier', format, running} end
local token = redis.call('HGET', meta, 'token')
if token and token ~= ARGV[3] and others > 0 then return {'token'} end

-- Settings made by operators in the game last until the service restarts.
if others == 0 and ARGV[5] == 'start' then redis.call('DEL', KEYS[3]) end
redis.call('HSET', meta, 'format', ARGV[1], 'token', ARGV[3])
redis.call('HSETNX', meta, 'bridge-id', ARGV[2])
redis.call('HSETNX', meta, 'born', string.format('%.0f', now))
redis.call('SET', KEYS[4], string.format('%.0f-0', now), 'NX')
return {'ok', redis.call('HGET', meta, 'bridge-id'), redis.call('HGET', meta, 'born')}
