-- Handles the hello of a run of the pack. KEYS[10]: bus. ARGV from 3 on: run, id for a new session, number of the fact before its
-- first, number of replaced runs to remember, how long a successor may be silent.
-- {'ok', session, {id, kind, ... of each lost action}} or {'refused'}.
local now, run = tonumber(ARGV[2]), ARGV[3]
local current = redis.call('HGET', PACK, 'run')
if current == run then
  redis.call('HSET', PACK, 'heard', ARGV[2])
  return {'ok', redis.call('HGET', PACK, 'session'), {}}
end
local retired = redis.call('LRANGE', KEYS[9], 0, -1)
for _, each in ipairs(retired) do
  if cjson.decode(each).run == run then
    if current and now - tonumber(redis.call('HGET', PACK, 'heard')) < tonumber(ARGV[7]) then return {'refused'} end
    redis.call('LREM', KEYS[9], 0, each)
  end
end
if current then
  redis.call('RPUSH', KEYS[9], cjson.encode({run = current, session = redis.call('HGET', PACK, 'session')}))
  redis.call('LTRIM', KEYS[9], -tonumber(ARGV[6]), -1)
end
forget_ended()
local lost = {}
local function lose(number)
  local action = redis.call('HGET', ACTIONS, number)
  if action then
    action = cjson.decode(action)
    lost[#lost + 1] = action.id
    lost[#lost + 1] = action.kind
  end
  forget(number)
end
for _, number in ipairs(redis.call('ZRANGE', BEGUN, 0, -1)) do lose(number) end
local handed = redis.call('HGET', PACK, 'handed') or '0'
for _, number in ipairs(redis.call('ZRANGEBYSCORE', QUEUE, '-inf', handed)) do lose(number) end
redis.call('HSET', PACK, 'session', ARGV[4], 'run', run, 'fact', ARGV[5], 'heard', ARGV[2], 'poller', '')
redis.call('XADD', KEYS[10], '*', 'e', '{"kind":"wake"}')
return {'ok', ARGV[4], lost}
