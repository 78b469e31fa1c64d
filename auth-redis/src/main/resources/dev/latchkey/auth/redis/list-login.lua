-- Adds a session to the list of its owner, as the newest.
-- KEYS: the list.
-- ARGV: the digest of the session; the lifetime of the list in milliseconds.
-- Returns the length of the list.
local newest = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
redis.call('ZADD', KEYS[1], tonumber(newest[2] or '0') + 1, ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return redis.call('ZCARD', KEYS[1])
