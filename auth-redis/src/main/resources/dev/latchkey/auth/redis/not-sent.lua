-- Notes that a write of a session will not send its token to a client.
-- KEYS: the session.
-- ARGV: the hash of the token; the random name of the write.
-- Returns 1 if no other write may have sent the token, 0 otherwise.
local senders = redis.call('HGET', KEYS[1], 'sent-by')
if not senders or redis.call('HGET', KEYS[1], 'token-hash') ~= ARGV[1] then
  return 0
end
local left = string.gsub(senders, ' ' .. ARGV[2], '')
redis.call('HSET', KEYS[1], 'sent-by', left)
return left == '' and 1 or 0
