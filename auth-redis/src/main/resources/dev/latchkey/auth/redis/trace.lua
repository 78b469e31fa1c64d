-- Leaves a trace of a node that has read.
-- KEYS: the node's trace, ends, order, bounds. ARGV: how many milliseconds the trace is kept.
-- Answers how many traces it has left, and -1 - n where a server that is full or cannot save takes no trace and there are n. A server that is no
-- primary any more answers with its error. Answers zero where a key was evicted: what is
-- left of the others is deleted, and the nodes give all of it back.
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
