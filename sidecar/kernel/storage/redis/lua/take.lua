-- Takes tokens out of each bucket, up to the first one that has not as many: {its place from 0 on, microseconds until it has
-- them}, or {-1, 0} where all had them.
-- A bucket is stored as the time in microseconds at which it is full again, and a while longer than until then.
-- KEYS: buckets. ARGV: now; then for each bucket how long those take to come back, less than nothing where one is given
-- back, and how long all of them take, in microseconds.
local KEPT_MS = 10000
local now = tonumber(ARGV[1])
local function store(key, full)
  local forMs = math.ceil(math.max(full - now, 0) / 1000) + KEPT_MS
  redis.call('SET', key, string.format('%.0f', full), 'PX', string.format('%.0f', forMs))
end
for i, key in ipairs(KEYS) do
  local token, all = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local held = tonumber(redis.call('GET', key)) or now
  local full = math.min(math.max(held, now), now + all)
  if full + token > now + all then
    -- Counted by a rate that was slower: nobody waits longer than for an empty bucket of now.
    if held > full then store(key, full) end
    return {i - 1, math.ceil(full + token - now - all)}
  end
  store(key, full + token)
end
return {-1, 0}
