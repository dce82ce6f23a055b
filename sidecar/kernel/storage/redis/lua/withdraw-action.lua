-- Withdraws an action that was not delivered: 1, or 0 if it may have been. ARGV[3]: id.
local number = redis.call('HGET', NUMBERS, ARGV[3])
if not number or not redis.call('ZSCORE', QUEUE, number) then return 0 end
if tonumber(number) <= tonumber(redis.call('HGET', PACK, 'handed') or '0') then return 0 end
forget(number)
return 1
