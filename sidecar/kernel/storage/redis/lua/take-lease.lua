-- Takes the lease for the pack's requests, for a second unless it is renewed: {1, session of the pack or '', its run, number of its
-- last fact}, or {0} if another process holds it. KEYS: the lease, pack. ARGV: token.
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 1000) then return {0} end
local session = redis.call('HGET', KEYS[2], 'session')
if not session then return {1, '', '', 0} end
return {1, session, redis.call('HGET', KEYS[2], 'run'), redis.call('HGET', KEYS[2], 'fact')}
