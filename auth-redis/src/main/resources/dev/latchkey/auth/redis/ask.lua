-- Asks about one revocation.
-- KEYS: the node's trace, ends, order, bounds. ARGV: how many milliseconds the trace is kept; 'end' or 'bound'; the id.
-- Answers the end or the bound, and an empty text without one.
-- The write comes first, because a server that is no primary any more refuses the write. A server that is full or cannot save is still the primary.
local written = redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
if type(written) == 'table' and not string.find(written.err, 'OOM', 1, true) and not string.find(written.err, 'MISCONF', 1, true) then
  return redis.error_reply((string.gsub(written.err, '^%-', '')))
end
if ARGV[2] == 'bound' then
  return redis.pcall('HGET', KEYS[4], ARGV[3]) or ''
end
return redis.pcall('ZSCORE', KEYS[2], ARGV[3]) or ''
