-- Takes a duty that nobody has, or goes on with it: 1, or 0 where another has it. KEYS: duty. ARGV: token, milliseconds.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
