-- Prepended to every script that changes something under a lease. KEYS[1]: the lease. ARGV[1]: the caller's token, or '' without one.
if ARGV[1] ~= '' then
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return redis.error_reply('FENCED the turn is over')
  end
  redis.call('PEXPIRE', KEYS[1], 1000)
end
