-- Players in an order behind a place: {uuid, score, record or '', ...}. KEYS: records, order. ARGV: score or '' for the first ones,
-- uuid, most.
local order = KEYS[2]

-- By bytes: Lua itself goes by the language that Redis was started in.
local function is_behind(one, other)
  for at = 1, #one do
    local byte, of_other = string.byte(one, at), string.byte(other, at) or -1
    if byte ~= of_other then return byte > of_other end
  end
  return false
end

local first = 0
if ARGV[1] ~= '' then
  local score, last = tonumber(ARGV[1]), redis.call('ZCARD', order)
  while first < last do
    local middle = math.floor((first + last) / 2)
    local player = redis.call('ZRANGE', order, middle, middle, 'WITHSCORES')
    local of_player = tonumber(player[2])
    if of_player > score or (of_player == score and is_behind(player[1], ARGV[2])) then
      last = middle
    else
      first = middle + 1
    end
  end
end
local found = redis.call('ZRANGE', order, first, first + ARGV[3] - 1, 'WITHSCORES')
local page = {}
for at = 1, #found, 2 do
  page[#page + 1] = found[at]
  page[#page + 1] = found[at + 1]
  page[#page + 1] = redis.call('HGET', KEYS[1], found[at]) or ''
end
return page
