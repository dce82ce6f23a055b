-- Releases a lease if this token still holds it. KEYS: the lease. ARGV: token.
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
