-- Players in the order of their names, of those whose name in lower case begins so: {uuid, name, record or '', ...}.
-- KEYS: records, names in their order. ARGV: the bounds of the names, beginning or '', most.
local prefix, most = ARGV[3], tonumber(ARGV[4])
local at_once = prefix == '' and most or 1000
local from = ARGV[1]
local page = {}
repeat
  local members = redis.call('ZRANGEBYLEX', KEYS[2], from, ARGV[2], 'LIMIT', 0, at_once)
  for _, member in ipairs(members) do
    local ends = string.find(member, '\0', 1, true)
    -- Behind the name stand the uuid, of 36 characters, and the name in lower case.
    if #page < 3 * most and string.sub(member, ends + 39, ends + 38 + #prefix) == prefix then
      local uuid = string.sub(member, ends + 1, ends + 36)
      page[#page + 1] = uuid
      page[#page + 1] = string.sub(member, 1, ends - 1)
      page[#page + 1] = redis.call('HGET', KEYS[1], uuid) or ''
    end
  end
  from = '(' .. (members[#members] or '')
until #members < at_once or #page >= 3 * most
return page
