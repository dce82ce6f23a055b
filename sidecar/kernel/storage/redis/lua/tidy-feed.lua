-- Lets go of what the feed need not keep: lines of the web past half of the number kept and whatever is past that number, each when
-- it is old enough for every process to have read it, and what is older than it is kept.
-- KEYS: feed, floor, ids of lines of the web.
-- ARGV: number kept, time that it is read by, time that it is kept for, most of the web.
local feed, floor, web = KEYS[1], KEYS[2], KEYS[3]
local read, kept = tonumber(ARGV[2]), tonumber(ARGV[3])
local first = redis.call('XRANGE', feed, '-', '+', 'COUNT', 1)[1]
for _ = 1, 1000 do
  local oldest = redis.call('LRANGE', web, 0, 0)[1]
  if not oldest then break end
  local is_held = first and not is_after(first[1], oldest)
  if is_held and (redis.call('LLEN', web) <= tonumber(ARGV[4]) or milliseconds(oldest) >= read) then break end
  redis.call('LPOP', web)
  if is_held then
    redis.call('XDEL', feed, oldest)
    note_gone(floor, oldest)
  end
end

local gone = 0
local last
local past = redis.call('XLEN', feed) - tonumber(ARGV[1])
for _ = 1, 10 do
  local oldest = redis.call('XRANGE', feed, last and ('(' .. last) or '-', '+', 'COUNT', 100)
  for _, entry in ipairs(oldest) do
    local at = milliseconds(entry[1])
    if at >= kept and (gone >= past or at >= read) then oldest = {} break end
    last = entry[1]
    gone = gone + 1
  end
  if #oldest < 100 then break end
end
if last then
  note_gone(floor, last)
  redis.call('XTRIM', feed, 'MAXLEN', redis.call('XLEN', feed) - gone)
end
return gone
