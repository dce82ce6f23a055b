-- Stores what is known of players, of each if the record there is still the one that was decided on: {uuid, record there, ...} of
-- those where it is not. ARGV from 2 on: most players, how many of them are erased at once, most visits of each, and for each
-- player uuid, record before, record now or '', 'present', 'listed' or 'unlisted', name, that in lower case, 'forgets' where the
-- visits there go, those that are kept besides, all names folded with '\0' behind each, and the score in each other order.
local others = {}
local orders = #KEYS - 11
for at = 5, #ARGV, 9 + orders do
  local uuid, before, now, standing, name, lowered, forgets, ended, folded = unpack(ARGV, at, at + 8)
  local held = redis.call('HGET', RECORDS, uuid) or ''
  if held ~= before then
    others[#others + 1] = uuid
    others[#others + 1] = held
  elseif now == '' then
    erase(uuid)
  else
    redis.call('HSET', RECORDS, uuid, now)
    keep_names(uuid, folded)
    if standing ~= 'present' or not redis.call('HGET', PRESENT, uuid) then
      leave_orders(uuid)
      if standing == 'present' then
        redis.call('HSET', PRESENT, uuid, '')
      elseif standing == 'unlisted' then
        redis.call('ZADD', UNLISTED, ARGV[at + 9], uuid)
      else
        redis.call('HSET', NAMES, uuid, name .. '\0' .. lowered)
        redis.call('ZADD', BY_NAME, 0, by_name(name, lowered, uuid))
        redis.call('ZADD', BY_LOWERED, 0, by_lowered(name, lowered, uuid))
        for order = 1, orders do redis.call('ZADD', KEYS[11 + order], ARGV[at + 8 + order], uuid) end
      end
    end
    if forgets == 'forgets' then leave_stays(uuid) end
    if ended ~= '' then keep_stays(uuid, ended .. ',' .. (redis.call('HGET', STAYS, uuid) or ''), tonumber(ARGV[4]), 0) end
  end
end
local past = redis.call('HLEN', RECORDS) - tonumber(ARGV[2])
if past > 0 then erase_unseen(math.min(past, tonumber(ARGV[3])), '-inf') end
return others
