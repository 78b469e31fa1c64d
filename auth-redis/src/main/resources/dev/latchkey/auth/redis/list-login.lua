-- Puts a login in the list of its owner's, as the newest.
-- KEYS: the list. ARGV: the login's digest, and for how many milliseconds the list is kept for it.
-- Answers how many are in the list.
local newest = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
redis.call('ZADD', KEYS[1], tonumber(newest[2] or '0') + 1, ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return redis.call('ZCARD', KEYS[1])
