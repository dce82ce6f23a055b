-- Keeps a point, unless its slot has one, and lets go of those of an hour ago. KEYS: history. ARGV: slot, point, points of an hour.
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[3]) then
  for _, slot in ipairs(redis.call('HKEYS', KEYS[1])) do
    if tonumber(slot) <= tonumber(ARGV[1]) - tonumber(ARGV[3]) then redis.call('HDEL', KEYS[1], slot) end
  end
end
return 1
