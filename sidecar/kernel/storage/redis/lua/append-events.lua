-- Appends to the feed what was decided on by what was told of the game, if that is still so: {1, id of the last one or '', places
-- of those that are new from 0 on}, else {0, version, what was told}. KEYS from 2 on: feed, presence, keys by age, keys, floor, ids
-- of lines of the web.
-- ARGV from 2 on: version or '' for any, what is told now or '', most entries, how many of them stay then, most keys, and for
-- each entry its key or '', 'web' for a line of the web, and itself.
local feed, presence = KEYS[2], KEYS[3]
local version = redis.call('HGET', presence, 'version') or '0'
if ARGV[2] ~= '' and version ~= ARGV[2] then return {0, version, redis.call('HGET', presence, 'told') or ''} end
local last = ''
local fresh = {}
for i = 7, #ARGV, 3 do
  local key = ARGV[i]
  if key == '' or redis.call('SADD', KEYS[5], key) == 1 then
    if key ~= '' then redis.call('RPUSH', KEYS[4], key) end
    last = redis.call('XADD', feed, '*', 'e', ARGV[i + 2])
    if ARGV[i + 1] == 'web' then redis.call('RPUSH', KEYS[7], last) end
    fresh[#fresh + 1] = (i - 7) / 3
  end
end
-- A step that comes again was taken before, and others may have come after it.
if ARGV[3] ~= '' and (#fresh > 0 or #ARGV < 7) then
  -- No number: in a Redis that has lost something the same one would come again.
  local time = redis.call('TIME')
  redis.call('HSET', presence, 'version', time[1] .. '.' .. time[2], 'told', ARGV[3])
end
for _ = 1, redis.call('LLEN', KEYS[4]) - tonumber(ARGV[6]) do redis.call('SREM', KEYS[5], redis.call('LPOP', KEYS[4])) end
local length = redis.call('XLEN', feed)
if length > tonumber(ARGV[4]) then
  local gone = redis.call('XRANGE', feed, '-', '+', 'COUNT', length - tonumber(ARGV[5]))
  note_gone(KEYS[6], gone[#gone][1])
  redis.call('XTRIM', feed, 'MAXLEN', ARGV[5])
end
return {1, last, fresh}
