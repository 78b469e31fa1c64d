-- Deletes a batch of expired revocations. A revocation must have expired by the clock of the node and by the clock of this server, because a node with a
-- wrong clock must not delete revocations that other nodes need.
-- KEYS: the ends, the order, the bounds.
-- ARGV: the time of the node in seconds; the seconds for which expired revocations stay; the size of the batch.
-- Returns the number of deleted revocations.
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
