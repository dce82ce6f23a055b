-- Heartbeat of a sidecar. KEYS: sidecars, meta. ARGV: name, its info as JSON without the time.
-- Returns the time in milliseconds, when the stored data was created or '', and the info of all sidecars.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local own = cjson.decode(ARGV[2])
own.at = now
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(own))
return {string.format('%.0f', now), redis.call('HGET', KEYS[2], 'born') or '', redis.call('HVALS', KEYS[1])}
