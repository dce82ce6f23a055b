-- {run, number of the last fact} of a session, or why it is rejected. KEYS: pack, retired. ARGV: session.
if redis.call('HGET', KEYS[1], 'session') == ARGV[1] then
  return {'ok', redis.call('HGET', KEYS[1], 'run'), redis.call('HGET', KEYS[1], 'fact')}
end
for _, retired in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
  if cjson.decode(retired).session == ARGV[1] then return {'refused', 'session_replaced'} end
end
return {'refused', 'unknown_session'}
