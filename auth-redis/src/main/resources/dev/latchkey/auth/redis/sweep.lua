-- Forgets revocations that are over, a batch at a time.
-- KEYS: ends, order, bounds. ARGV: the second before which they ended, and how many at most.
-- Answers how many those were.
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[2])
for i = 1, #ids, 2 do
  local bound = redis.call('HGET', KEYS[3], ids[i])
  redis.call('ZREM', KEYS[2], ids[i] .. ' ' .. (bound or '-') .. ' ' .. ids[i + 1])
  redis.call('ZREM', KEYS[1], ids[i])
  if bound then
    redis.call('HDEL', KEYS[3], ids[i])
  end
end
return #ids / 2
