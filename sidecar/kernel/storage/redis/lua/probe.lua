-- Returns the names of the commands that the user may not use. KEYS: an unused key.
local key = KEYS[1]
local forbidden = {}
for _, command in ipairs({
  {'DEL', key}, {'UNLINK', key}, {'GET', key}, {'SET', key, '1'}, {'PEXPIRE', key, '1000'}, {'DEL', key},
  {'HSET', key, 'a', '1'}, {'HSETNX', key, 'a', '1'}, {'HGET', key, 'a'}, {'HGETALL', key}, {'HINCRBY', key, 'a', '1'},
  {'HLEN', key}, {'HSCAN', key, '0'}, {'HVALS', key}, {'HDEL', key, 'a'}, {'DEL', key},
  {'RPUSH', key, 'a'}, {'LRANGE', key, '0', '0'}, {'LREM', key, '0', 'b'}, {'LTRIM', key, '0', '9'},
  {'DEL', key},
  {'ZADD', key, '0', 'a'}, {'ZCARD', key}, {'ZLEXCOUNT', key, '-', '+'}, {'ZRANGE', key, '0', '0'}, {'ZRANGEBYSCORE', key, '0', '0'}, {'ZSCORE', key, 'a'}, {'ZREM', key, 'a'}, {'DEL', key},
  {'XADD', key, '*', 'a', 'b'}, {'XDEL', key, '1-1'}, {'XRANGE', key, '-', '+'}, {'XREVRANGE', key, '+', '-'},
  {'XREAD', 'STREAMS', key, '0'}, {'DEL', key}, {'TIME'},
}) do
  local reply = redis.pcall(unpack(command))
  -- Older versions say it in other words.
  local fault = type(reply) == 'table' and reply.err or ''
  if string.find(fault, 'permission') or string.find(fault, "can't run") then forbidden[#forbidden + 1] = command[1] end
end
return forbidden
