-- Tells every process something; the id that it has on the bus. KEYS[2]: bus, KEYS[3]: where it is kept, if so.
-- ARGV from 2 on: kind, text, how long the bus holds what it told, in milliseconds.
if KEYS[3] then redis.call('SET', KEYS[3], ARGV[3]) end
local time = redis.call('TIME')
local oldest = string.format('%.0f', time[1] * 1000 - tonumber(ARGV[4]))
return redis.call('XADD', KEYS[2], 'MINID', '~', oldest, '*', 'k', ARGV[2], 'v', ARGV[3])
