-- Records that every fact up to a number has been processed. KEYS[2]: pack. ARGV from 2 on: session, number.
if redis.call('HGET', KEYS[2], 'session') ~= ARGV[2] then return 0 end
if tonumber(redis.call('HGET', KEYS[2], 'fact')) < tonumber(ARGV[3]) then redis.call('HSET', KEYS[2], 'fact', ARGV[3]) end
return 1
