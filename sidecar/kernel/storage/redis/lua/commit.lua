-- Makes a change if everything that it was decided on is still so: {1, ids of entries that were appended}, else {0, {place of a check
-- from 1 on, text there or false, ...}}.
-- KEYS from 2 on: what checks and steps name by their places. ARGV from 2 on: how many checks, for each of them key, field or '' and
-- text ('=' and what it is, or '' for none), and then the steps: a command, how many arguments it has behind its key, its key, those.
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
