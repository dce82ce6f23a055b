-- Lets go of what the feed need not keep: what is past the number kept and old enough for every process to have read it, and
-- what is older than it is kept. KEYS: feed, floor. ARGV: number kept, time that it is read by, time that it is kept for.
local feed = KEYS[1]
local function milliseconds(id) return tonumber(string.match(id, '^%d+')) end
local gone = 0
local last
local past = redis.call('XLEN', feed) - tonumber(ARGV[1])
for _ = 1, 10 do
  local oldest = redis.call('XRANGE', feed, last and ('(' .. last) or '-', '+', 'COUNT', 100)
  for _, entry in ipairs(oldest) do
    local at = milliseconds(entry[1])
    if at >= tonumber(ARGV[3]) and (gone >= past or at >= tonumber(ARGV[2])) then oldest = {} break end
    last = entry[1]
    gone = gone + 1
  end
  if #oldest < 100 then break end
end
if last then
  redis.call('SET', KEYS[2], last)
  redis.call('XTRIM', feed, 'MAXLEN', redis.call('XLEN', feed) - gone)
end
return gone
