-- Stores the state of a webhook, or forgets it, unless whoever says so has lost the duty. KEYS: duty, hooks. ARGV: token or '',
-- webhook, state or ''.
if ARGV[1] ~= '' and redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.error_reply('FENCED the duty is over') end
if ARGV[3] == '' then redis.call('HDEL', KEYS[2], ARGV[2]) else redis.call('HSET', KEYS[2], ARGV[2], ARGV[3]) end
return 1
