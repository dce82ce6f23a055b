-- Takes or renews the leadership of a task: 1, or 0 if another process leads. KEYS: the lease. ARGV: token, lifetime in milliseconds.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
