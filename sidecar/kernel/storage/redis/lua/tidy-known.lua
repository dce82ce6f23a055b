-- Erases who was not seen since a time, and visits that ended before one: 1, or 0 where there may be more. ARGV from 2 on: how many
-- of each at once, the score that those have more than who were not seen, that time, most visits of each.
local most = tonumber(ARGV[2])
local unseen = erase_unseen(most, '(' .. ARGV[3])
local past = redis.call('ZRANGEBYSCORE', OLDEST, '-inf', '(' .. ARGV[4], 'LIMIT', 0, most)
for _, uuid in ipairs(past) do
  keep_stays(uuid, redis.call('HGET', STAYS, uuid) or '', tonumber(ARGV[5]), tonumber(ARGV[4]))
end
return (unseen < most and #past < most) and 1 or 0
