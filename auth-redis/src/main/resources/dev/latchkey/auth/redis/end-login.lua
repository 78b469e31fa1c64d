-- Ends a login. KEYS: the login. Answers the digest of its owner, and an empty text where there is no login.
local owner = redis.call('HGET', KEYS[1], 'owner')
redis.call('DEL', KEYS[1])
return owner or ''
