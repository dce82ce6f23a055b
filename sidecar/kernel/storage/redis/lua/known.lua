-- Ahead of the scripts that change who has been here. KEYS from 2 on: records, those who are there, those who are away and in no
-- order (by when they were seen), names (of those in the orders), in their order and in that of the lower case, visits, when the
-- first of them ended, folded names (of everybody, '\0' behind each), those in their order, and the other orders, of which the
-- first is by when they were seen.
local RECORDS, PRESENT, UNLISTED, NAMES, BY_NAME, BY_LOWERED, STAYS, OLDEST, FOLDED, BY_FOLDED = unpack(KEYS, 2, 11)
local SEEN = KEYS[12]

-- Their bytes are in the order of the name, or of that in lower case, and then of the uuid.
local function by_name(name, lowered, uuid) return name .. '\0' .. uuid .. '\0\0' .. lowered end
local function by_lowered(name, lowered, uuid) return lowered .. '\0' .. name .. '\0' .. uuid end

local function leave_orders(uuid)
  redis.call('HDEL', PRESENT, uuid)
  redis.call('ZREM', UNLISTED, uuid)
  local names = redis.call('HGET', NAMES, uuid)
  if not names then return end
  local name, lowered = string.match(names, '^(.-)%z(.*)$')
  redis.call('ZREM', BY_NAME, by_name(name, lowered, uuid))
  redis.call('ZREM', BY_LOWERED, by_lowered(name, lowered, uuid))
  for at = 12, #KEYS do redis.call('ZREM', KEYS[at], uuid) end
  redis.call('HDEL', NAMES, uuid)
end

local function keep_names(uuid, folded)
  local held = redis.call('HGET', FOLDED, uuid)
  if held == folded then return end
  for name in string.gmatch(held or '', '(%Z*)%z') do redis.call('ZREM', BY_FOLDED, name .. '\0' .. uuid) end
  for name in string.gmatch(folded, '(%Z*)%z') do redis.call('ZADD', BY_FOLDED, 0, name .. '\0' .. uuid) end
  redis.call('HSET', FOLDED, uuid, folded)
end

local function leave_stays(uuid)
  redis.call('HDEL', STAYS, uuid)
  redis.call('ZREM', OLDEST, uuid)
end

local function erase(uuid)
  leave_orders(uuid)
  leave_stays(uuid)
  keep_names(uuid, '')
  redis.call('HDEL', FOLDED, uuid)
  redis.call('HDEL', RECORDS, uuid)
end

-- Erases who is away and was unseen for longest: at most so many, of those who have more than this score. How many they were.
local function erase_unseen(most, beyond)
  local found = {}
  for _, order in ipairs({SEEN, UNLISTED}) do
    local players = redis.call('ZRANGE', order, '+inf', beyond, 'BYSCORE', 'REV', 'LIMIT', 0, most, 'WITHSCORES')
    for at = 1, #players, 2 do found[#found + 1] = {players[at], tonumber(players[at + 1])} end
  end
  table.sort(found, function(one, other) return one[2] > other[2] end)
  for at = 1, math.min(most, #found) do erase(found[at][1]) end
  return math.min(most, #found)
end

-- Keeps of these visits the newest, so many at most, of those that did not end before a time.
local function keep_stays(uuid, text, most, since)
  local kept = {}
  for stay, from, to in string.gmatch(text, '((%d+)-(%d+))') do
    if tonumber(to) >= since then kept[#kept + 1] = {tonumber(from), tonumber(to), stay} end
  end
  if #kept == 0 then return leave_stays(uuid) end
  table.sort(kept, function(one, other)
    if one[1] ~= other[1] then return one[1] > other[1] end
    return one[2] > other[2]
  end)
  local texts, oldest = {}, math.huge
  for at = 1, math.min(most, #kept) do
    texts[at] = kept[at][3]
    oldest = math.min(oldest, kept[at][2])
  end
  redis.call('HSET', STAYS, uuid, table.concat(texts, ','))
  redis.call('ZADD', OLDEST, string.format('%.0f', oldest), uuid)
end
