-- Counts a token among the revoked tokens of its subject, if there is room.
-- KEYS: the tokens of the subject.
-- ARGV: a second; tokens that ended before are removed. The maximum number of tokens, the token's id, the token's end, and the lifetime of the set in
-- milliseconds.
-- Returns 1 if the token is counted, 0 if there is no room.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[1])
local counted = redis.call('ZSCORE', KEYS[1], ARGV[3])
if not counted and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
if not counted or tonumber(counted) < tonumber(ARGV[4]) then
  redis.call('ZADD', KEYS[1], ARGV[4], ARGV[3])
end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[5]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
end
return 1
