-- Takes the turn to deal with what the pack says, for a second unless it is gone on with: 1, or 0 where another has it.
-- KEYS: turn. ARGV: token.
return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 1000) and 1 or 0
