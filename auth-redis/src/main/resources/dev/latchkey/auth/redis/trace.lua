-- Leaves a trace of a node that has read.
-- KEYS: the node's trace, the ends, the order, the bounds.
-- ARGV: the lifetime of the trace in milliseconds.
-- Returns the number n of traces that the node has left. Returns -1 - n if the server is full or cannot save, and so takes no trace.
-- Returns an error if the server is a demoted primary. Returns 0 if a key was evicted: the remaining keys are deleted, and the nodes restore all entries.
local hasOrder = redis.call('EXISTS', KEYS[3])
if redis.call('EXISTS', KEYS[2]) ~= hasOrder or redis.call('EXISTS', KEYS[4]) < hasOrder then
  redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
  return 0
end
local left = redis.pcall('INCR', KEYS[1])
if type(left) == 'table' then
  if not string.find(left.err, 'OOM', 1, true) and not string.find(left.err, 'MISCONF', 1, true) then
    return redis.error_reply((string.gsub(left.err, '^%-', '')))
  end
  return -1 - tonumber(redis.call('GET', KEYS[1]) or '0')
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return left
