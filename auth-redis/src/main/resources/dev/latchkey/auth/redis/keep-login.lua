-- Keeps a login: a new one, or one that is put in the place of the one that is there.
-- KEYS: the login. ARGV: for how many milliseconds it is kept; 'new'; 'replaces', or 'repeats' for the one that is there already; the hash that its token must have
-- to be replaced; who is going to tell the caller its token; and the names and values of its fields.
-- Answers one where it is kept, zero where its token has another hash or it is gone.
if ARGV[2] ~= 'new' and redis.call('HGET', KEYS[1], 'token-hash') ~= ARGV[3] then
  return 0
end
local senders = ''
if ARGV[2] == 'repeats' then
  -- Of one that has none nobody knows who was told. Nor is it counted for ever.
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
