-- Records revocations. Each gets a position of its own. Of two ends or bounds for one id, the later one stays.
-- KEYS: the ends, the order, the bounds, the node's trace.
-- ARGV: the channel; the lifetime of the trace in milliseconds; for each revocation its id, its bound or '-', and its end.
-- Returns the number of traces that the node has left; 0 if a key was evicted, as trace.lua does.
-- The first write is a command that a full server rejects. After a write, a full server lets the script continue.
local ends, order, bounds, trace = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local hasOrder = redis.call('EXISTS', order)
local isEvicted = redis.call('EXISTS', ends) ~= hasOrder or redis.call('EXISTS', bounds) < hasOrder
if isEvicted then
  redis.call('DEL', ends, order, bounds)
end
local position = tonumber(redis.call('HGET', bounds, 'position') or '0')
local top = redis.call('ZREVRANGE', order, 0, 0, 'WITHSCORES')
if top[2] and tonumber(top[2]) > position then
  position = tonumber(top[2])
end
for i = 3, #ARGV, 3 do
  local id, bound, ending = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local oldEnd = redis.call('ZSCORE', ends, id)
  local oldBound = redis.call('HGET', bounds, id) or '-'
  if oldEnd and tonumber(oldEnd) > tonumber(ending) then
    ending = oldEnd
  end
  if oldBound ~= '-' and (bound == '-' or tonumber(oldBound) > tonumber(bound)) then
    bound = oldBound
  end
  redis.call('ZADD', ends, ending, id)
  if oldEnd then
    redis.call('ZREM', order, id .. ' ' .. oldBound .. ' ' .. oldEnd)
  end
  position = position + 1
  redis.call('ZADD', order, position, id .. ' ' .. bound .. ' ' .. ending)
  if bound ~= '-' then
    redis.call('HSET', bounds, id, bound)
  end
end
redis.call('HSET', bounds, 'position', position)
local left = redis.call('INCR', trace)
redis.call('PEXPIRE', trace, ARGV[2])
-- A user without the right to publish revokes too: the other nodes read the revocation a little later.
redis.pcall('PUBLISH', ARGV[1], position)
return isEvicted and 0 or left
