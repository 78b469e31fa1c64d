-- Forgets revocations that are over, a batch at a time: those that are so by the node's clock and by this server's, so that a node whose clock is wrong
-- forgets nothing that others need.
-- KEYS: ends, order, bounds. ARGV: the node's clock, and how much longer what is over is kept, in seconds; and how many leave at most.
-- Answers how many those were.
local now = math.min(tonumber(ARGV[1]), tonumber(redis.call('TIME')[1]))
local before = string.format('(%.0f', now - ARGV[2])
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', before, 'WITHSCORES', 'LIMIT', 0, ARGV[3])
for i = 1, #ids, 2 do
  local bound = redis.call('HGET', KEYS[3], ids[i])
  redis.call('ZREM', KEYS[2], ids[i] .. ' ' .. (bound or '-') .. ' ' .. ids[i + 1])
  redis.call('ZREM', KEYS[1], ids[i])
  if bound then
    redis.call('HDEL', KEYS[3], ids[i])
  end
end
return #ids / 2
