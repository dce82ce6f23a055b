-- Ahead of the scripts of the feed: its ids are a time in milliseconds and a number in it.
local function milliseconds(id) return tonumber(string.match(id, '^%d+')) end

-- Whether the first of two ids was given after the other.
local function is_after(id, other)
  local time, before = milliseconds(id), milliseconds(other)
  if time ~= before then return time > before end
  return tonumber(string.match(id, '%d+$')) > tonumber(string.match(other, '%d+$'))
end

-- Notes that this place is gone, where none that is newer is.
local function note_gone(floor, id)
  if is_after(id, redis.call('GET', floor) or '0-0') then redis.call('SET', floor, id) end
end
