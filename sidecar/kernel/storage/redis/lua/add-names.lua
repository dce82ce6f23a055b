-- Adds names of an action. KEYS[2]: where. ARGV from 2 on: number of the fact, names as JSON, most parts, how long they are kept.
if redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[4]) then redis.call('HSET', KEYS[2], 'too many', '')
else redis.call('HSET', KEYS[2], ARGV[2], ARGV[3]) end
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return 1
