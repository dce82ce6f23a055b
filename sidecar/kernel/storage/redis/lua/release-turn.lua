-- Ends a turn, if it is still that of this token. KEYS: turn. ARGV: token.
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
