-- Notes that one who kept a login will tell nobody its token.
-- KEYS: the login. ARGV: the hash of that token, and who it was.
-- Answers one where nobody is left who may have told it, zero otherwise.
local senders = redis.call('HGET', KEYS[1], 'sent-by')
if not senders or redis.call('HGET', KEYS[1], 'token-hash') ~= ARGV[1] then
  return 0
end
local left = string.gsub(senders, ' ' .. ARGV[2], '')
redis.call('HSET', KEYS[1], 'sent-by', left)
return left == '' and 1 or 0
