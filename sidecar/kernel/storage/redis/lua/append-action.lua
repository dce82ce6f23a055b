-- Appends an action: 1, or 0 if the queue is full. KEYS[10]: bus. ARGV from 3 on: id, kind, share of the kind or -1, capacity,
-- expiry, action as JSON.
forget_ended()
local kind, share = ARGV[4], tonumber(ARGV[5])
local waiting = redis.call('ZCARD', QUEUE)
if waiting >= tonumber(ARGV[6]) then return 0 end
if waiting == 0 then redis.call('DEL', KINDS) end
if share >= 0 and tonumber(redis.call('HGET', KINDS, kind) or '0') >= share then return 0 end
local number = redis.call('HINCRBY', PACK, 'last', 1)
redis.call('ZADD', QUEUE, number, number)
redis.call('HSET', ACTIONS, number, ARGV[8])
redis.call('HSET', NUMBERS, ARGV[3], number)
redis.call('ZADD', ENDS, ARGV[7], number)
redis.call('HINCRBY', KINDS, kind, 1)
if (redis.call('HGET', PACK, 'poller') or '') ~= '' then redis.call('XADD', KEYS[10], '*', 'e', '{"kind":"wake"}') end
return 1
