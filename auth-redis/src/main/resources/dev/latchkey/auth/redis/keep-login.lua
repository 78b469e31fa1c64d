-- Stores a session: a new session, or the next state of a stored session.
-- KEYS: the session.
-- ARGV: the lifetime in milliseconds; 'new', 'replaces', or 'repeats' for a token that is stored already; the expected hash of the stored token; the
-- random name of this write; the names and values of the fields.
-- Returns 1 if the session is stored. Returns 0 if the stored token has another hash, or the session is gone.
if ARGV[2] ~= 'new' and redis.call('HGET', KEYS[1], 'token-hash') ~= ARGV[3] then
  return 0
end
local senders = ''
if ARGV[2] == 'repeats' then
  -- Without the field, the receivers of the token are unknown. A long list becomes unknown too, so that the list cannot grow without end.
  senders = redis.call('HGET', KEYS[1], 'sent-by') or '?'
  if #senders > 200 then
    senders = '?'
  end
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('DEL', KEYS[1])
end
redis.call('HSET', KEYS[1], unpack(ARGV, 5))
if ARGV[2] ~= 'new' then
  redis.call('HSET', KEYS[1], 'sent-by', senders .. ' ' .. ARGV[4])
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
