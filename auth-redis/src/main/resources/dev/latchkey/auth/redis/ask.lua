-- Asks about one revocation.
-- KEYS: the node's trace, the ends, the order, the bounds.
-- ARGV: the lifetime of the trace in milliseconds; 'end' or 'bound'; the id.
-- Returns the end or the bound; an empty text if there is none.
-- The write comes first, because a demoted primary rejects the write. A server that is full or cannot save is still the primary.
local written = redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
if type(written) == 'table' and not string.find(written.err, 'OOM', 1, true) and not string.find(written.err, 'MISCONF', 1, true) then
  return redis.error_reply((string.gsub(written.err, '^%-', '')))
end
if ARGV[2] == 'bound' then
  return redis.pcall('HGET', KEYS[4], ARGV[3]) or ''
end
return redis.pcall('ZSCORE', KEYS[2], ARGV[3]) or ''
