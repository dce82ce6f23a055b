-- Stores the link of a session if the record there is still the one that was decided on: 1, else {the record there}.
-- KEYS from 2 on: links, requests, places (by place), labels (all at 0, in the order of the alphabet), due, last place,
-- player before, player now. ARGV from 2 on: session, record before, record now or '', request before, request now, due or '',
-- whether there was a player, whether there is one.
local links, requests, places, labels, due = KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local session, before, now = ARGV[2], ARGV[3], ARGV[4]
local held = redis.call('HGET', links, session) or ''
if held ~= before then return {held} end
if now == '' then redis.call('HDEL', links, session) else redis.call('HSET', links, session, now) end
if ARGV[5] ~= ARGV[6] then
  if ARGV[5] ~= '' then
    redis.call('HDEL', requests, ARGV[5])
    redis.call('ZREM', places, session)
    redis.call('ZREM', labels, session)
  end
  if ARGV[6] ~= '' then
    redis.call('HSET', requests, ARGV[6], session)
    redis.call('ZADD', places, redis.call('INCR', KEYS[7]), session)
    redis.call('ZADD', labels, 0, session)
  end
end
if ARGV[7] == '' then redis.call('ZREM', due, session) else redis.call('ZADD', due, ARGV[7], session) end
if ARGV[8] == '1' then redis.call('SREM', KEYS[8], session) end
if ARGV[9] == '1' then redis.call('SADD', KEYS[9], session) end
return 1
