-- Stores a text if the one there is still the one that was decided on: 1, else {the text there}.
-- KEYS[2]: where. ARGV from 2 on: text before, text now or '', how long it is kept in milliseconds or ''.
local held = redis.call('GET', KEYS[2]) or ''
if held ~= ARGV[2] then return {held} end
if ARGV[3] == '' then redis.call('DEL', KEYS[2])
elseif ARGV[4] == '' then redis.call('SET', KEYS[2], ARGV[3])
else redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4]) end
-- Others are told, where they have to hear it.
if KEYS[3] then return redis.call('XADD', KEYS[3], '*', 'k', ARGV[5], 'v', ARGV[3]) end
return 1
