-- Values of fields of a hash, '' where there are none. KEYS[1]: the hash. ARGV: fields.
local found = {}
for i, field in ipairs(ARGV) do
  found[i] = redis.call('HGET', KEYS[1], field) or ''
end
return found
