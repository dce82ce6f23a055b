-- Takes tokens from each bucket, up to the first that has too few: {its index from 0 on, microseconds until it has enough}, or {-1, 0}
-- if all had enough; and then for each bucket up to there, how many microseconds are left until it is full.
-- A bucket is stored as the time in microseconds at which it will be full, and stays a little longer than that.
-- KEYS: buckets. ARGV: now; then for each bucket the refill time of the tokens (negative to give tokens back), and of the whole bucket,
-- in microseconds.
local KEPT_MS = 10000
local now = tonumber(ARGV[1])
local function store(key, full)
  local forMs = math.ceil(math.max(full - now, 0) / 1000) + KEPT_MS
  redis.call('SET', key, string.format('%.0f', full), 'PX', string.format('%.0f', forMs))
end
local missing = {}
for i, key in ipairs(KEYS) do
  local token, all = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local held = tonumber(redis.call('GET', key)) or now
  local full = math.min(math.max(held, now), now + all)
  if full + token > now + all then
    -- Counted by a rate that was slower: the wait is at most that for an empty bucket at the present rate.
    if held > full then store(key, full) end
    missing[i] = full - now
    return {i - 1, math.ceil(full + token - now - all), missing}
  end
  store(key, full + token)
  missing[i] = full + token - now
end
return {-1, 0, missing}
