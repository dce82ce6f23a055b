-- Commits a change if all its checks still hold: {1, ids of appended entries}, else {0, {index of a failed check from 1 on, current
-- text or false, ...}}.
-- KEYS from 2 on: keys, which checks and steps refer to by index. ARGV from 2 on: number of checks; for each its key, field or '', and
-- text ('=' and the text, or '' for none); then the steps: command, number of arguments after its key, key, arguments.
local ids = {}
local COMMANDS = {
  HSET = function(...) redis.call('HSET', ...) end,
  HDEL = function(...) redis.call('HDEL', ...) end,
  SET = function(...) redis.call('SET', ...) end,
  DEL = function(...) redis.call('DEL', ...) end,
  ZADD = function(...) redis.call('ZADD', ...) end,
  ZREM = function(...) redis.call('ZREM', ...) end,
  XADD = function(...) ids[#ids + 1] = redis.call('XADD', ...) end,
  XDEL = function(...) redis.call('XDEL', ...) end,
}
local others, at = {}, 3
for check = 1, tonumber(ARGV[2]) do
  local key, field, text = KEYS[tonumber(ARGV[at])], ARGV[at + 1], ARGV[at + 2]
  local held
  if field == '' then held = redis.call('GET', key) else held = redis.call('HGET', key, field) end
  if (held and '=' .. held or '') ~= text then
    others[#others + 1] = check
    others[#others + 1] = held
  end
  at = at + 3
end
if #others > 0 then return {0, others} end
while at <= #ARGV do
  local last = at + 2 + tonumber(ARGV[at + 1])
  COMMANDS[ARGV[at]](KEYS[tonumber(ARGV[at + 2])], unpack(ARGV, at + 3, last))
  at = last + 1
end
return {1, ids}
