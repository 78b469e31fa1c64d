-- Ends a session.
-- KEYS: the session.
-- Returns the digest of its owner; an empty text if there is no session.
local owner = redis.call('HGET', KEYS[1], 'owner')
redis.call('DEL', KEYS[1])
return owner or ''
