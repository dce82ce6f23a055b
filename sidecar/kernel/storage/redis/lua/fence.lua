-- Ahead of every script that changes something in a turn: KEYS[1] is the turn, ARGV[1] the token of whoever calls, if in one.
if ARGV[1] ~= '' then
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return redis.error_reply('FENCED the turn is over')
  end
  redis.call('PEXPIRE', KEYS[1], 1000)
end
