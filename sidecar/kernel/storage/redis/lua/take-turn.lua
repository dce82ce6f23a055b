-- Takes the turn to deal with what the pack says, for a second unless it is gone on with: {1, session of the pack or '', its run,
-- number of its last fact}, or {0} where another has it. KEYS: turn, pack. ARGV: token.
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 1000) then return {0} end
local session = redis.call('HGET', KEYS[2], 'session')
if not session then return {1, '', '', 0} end
return {1, session, redis.call('HGET', KEYS[2], 'run'), redis.call('HGET', KEYS[2], 'fact')}
