-- What players have chosen, '' where nothing was ever told. KEYS[1]: choices. ARGV: players.
local found = {}
for i, player in ipairs(ARGV) do
  found[i] = redis.call('HGET', KEYS[1], player) or ''
end
return found
