-- Counts a token among those of its subject, if there is room.
-- KEYS: the subject's tokens. ARGV: the second before which they ended, how many there are at most, the token's id, its end, and how many
-- milliseconds the set is kept for it.
-- Answers one where the token is counted, zero where there is no room.
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
