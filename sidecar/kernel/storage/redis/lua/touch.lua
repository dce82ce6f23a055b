-- Whether anything can be kept. KEYS: a place for it.
redis.call('SET', KEYS[1], '1')
return 1
