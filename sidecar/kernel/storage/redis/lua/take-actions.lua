-- A pack requests actions. ARGV from 3 on: session, number of its last action, id of this poll, 'ask' (return the current actions),
-- 'wait' (the same, else register to be woken), 'woken' or 'last', maximum number.
-- {'ok', number of the last fact, {number, action as JSON, ...}}, {'over'} if a later poll waits, {'refused', why}.
local session, after, poll, how = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if redis.call('HGET', PACK, 'session') ~= session then
  return {'refused', is_replaced(session) and 'session_replaced' or 'unknown_session'}
end
-- The pack has more actions than were ever assigned: Redis has lost its last writes. The numbering starts over, and earlier actions have ended.
if tonumber(after) > tonumber(redis.call('HGET', PACK, 'last') or '0') then
  redis.call('HSET', PACK, 'last', after)
  redis.call('HDEL', PACK, 'session', 'run')
  return {'refused', 'unknown_session'}
end
local poller = redis.call('HGET', PACK, 'poller') or ''
if (how == 'woken' or how == 'last') and poller ~= poll then return {'over'} end
redis.call('HSET', PACK, 'heard', ARGV[2])
forget_ended()
for _, number in ipairs(redis.call('ZRANGEBYSCORE', QUEUE, '-inf', after)) do
  leave_queue(number, action_of(number))
  redis.call('ZADD', BEGUN, number, number)
end
local due = redis.call('ZRANGEBYSCORE', QUEUE, '(' .. after, '+inf', 'LIMIT', 0, ARGV[7])
local actions = {}
for _, number in ipairs(due) do
  local action = redis.call('HGET', ACTIONS, number)
  if action then
    actions[#actions + 1] = number
    actions[#actions + 1] = action
  end
end
local last = actions[#actions - 1]
if last and tonumber(last) > tonumber(redis.call('HGET', PACK, 'handed') or '0') then
  redis.call('HSET', PACK, 'handed', last)
end
if how == 'wait' and not last then
  -- A poll that already waits has to see that it is over.
  if poller ~= '' then redis.call('XADD', KEYS[10], '*', 'e', '{"kind":"wake"}') end
  redis.call('HSET', PACK, 'poller', poll)
elseif how == 'last' or (how == 'woken' and last) then
  redis.call('HSET', PACK, 'poller', '')
end
return {'ok', redis.call('HGET', PACK, 'fact'), actions}
