-- Prepended to the scripts of the queue: drops expired actions. KEYS from 2 on: queue (numbers by number), actions (JSON by number),
-- numbers (by id), ends (numbers by expiry), kinds (counts of queued actions), begun (numbers by number), pack. ARGV[2]: now.
local QUEUE, ACTIONS, NUMBERS, ENDS, KINDS, BEGUN, PACK = KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]

-- A full Redis may evict an action and keep its number.
local function action_of(number)
  local action = redis.call('HGET', ACTIONS, number)
  return action and cjson.decode(action)
end

local function leave_queue(number, action)
  if redis.call('ZREM', QUEUE, number) == 1 and action then redis.call('HINCRBY', KINDS, action.kind, -1) end
end

local function forget(number)
  local action = action_of(number)
  if action then redis.call('HDEL', NUMBERS, action.id) end
  redis.call('HDEL', ACTIONS, number)
  redis.call('ZREM', ENDS, number)
  redis.call('ZREM', BEGUN, number)
  leave_queue(number, action)
end

local function forget_ended()
  for _, number in ipairs(redis.call('ZRANGEBYSCORE', ENDS, '-inf', ARGV[2], 'LIMIT', 0, 4000)) do forget(number) end
end

local function is_replaced(session)
  for _, retired in ipairs(redis.call('LRANGE', KEYS[9], 0, -1)) do
    if cjson.decode(retired).session == session then return true end
  end
  return false
end
