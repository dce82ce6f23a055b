-- Returns texts (false if missing) of fields of a hash, or of keys. KEYS: the hash, or the keys. ARGV: the fields, if any.
local texts = {}
for at, field in ipairs(ARGV) do texts[at] = redis.call('HGET', KEYS[1], field) end
if #ARGV == 0 then
  for at, key in ipairs(KEYS) do texts[at] = redis.call('GET', key) end
end
return texts
