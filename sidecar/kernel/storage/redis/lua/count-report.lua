-- Counts a report in its slot of each span, unless it was counted or comes late; the most players count in any case. Returns what is in
-- those slots. Of more slots than there are points, the one that is farthest away goes. KEYS: when the report that was counted last was,
-- the slots of each span. ARGV: when this one is, how far behind that one is of a clock that was set back, its sums, then for each span
-- its slot and its points.
local last = tonumber(redis.call('GET', KEYS[1]) or '-1')
local at = tonumber(ARGV[1])
local isNew = at > last or at < last - tonumber(ARGV[2])
if isNew then redis.call('SET', KEYS[1], ARGV[1]) end
local own = {}
for number in string.gmatch(ARGV[3], '%d+') do own[#own + 1] = tonumber(number) end

local function farthest(key, slot)
  local found, far = nil, -1
  for _, each in ipairs(redis.call('HKEYS', key)) do
    local from = math.abs(tonumber(each) - slot)
    if from > far or (from == far and tonumber(each) < slot) then found, far = each, from end
  end
  return found
end

local all = {}
for span = 1, #KEYS - 1 do
  local key, slot, most = KEYS[span + 1], ARGV[2 + 2 * span], tonumber(ARGV[3 + 2 * span])
  local stored = redis.call('HGET', key, slot)
  local sums = stored or ''
  if isNew or stored then
    local now, place = {}, 0
    for number in string.gmatch(stored or '0 0 0 0 0 0 0 0', '%d+') do
      place = place + 1
      local before = tonumber(number)
      if place == #own then before = math.max(before, own[place])
      elseif isNew then before = before + own[place] end
      now[place] = string.format('%.0f', before)
    end
    sums = table.concat(now, ' ')
    if sums ~= stored then redis.call('HSET', key, slot, sums) end
    if not stored and redis.call('HLEN', key) > most then redis.call('HDEL', key, farthest(key, tonumber(slot))) end
  end
  all[span] = sums
end
return all
