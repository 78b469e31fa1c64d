-- Looks whether a login is what somebody has just made of it, and writes something: who waits for this write waits for the login too.
-- KEYS: the login; what is written; where it is a new login, the list of its owner's.
-- ARGV: the hash that its token was given, and an empty text where it was ended; where it is a new login, its digest.
-- Answers one where it is so, and where its token has been used by now.
if ARGV[1] == '' then
  if redis.call('EXISTS', KEYS[1]) == 1 then
    return 0
  end
else
  local hashes = redis.call('HMGET', KEYS[1], 'token-hash', 'replaced-hash')
  if hashes[1] ~= ARGV[1] and hashes[2] ~= ARGV[1] then
    return 0
  end
end
if KEYS[3] and not redis.call('ZSCORE', KEYS[3], ARGV[2]) then
  return 0
end
redis.call('SET', KEYS[2], '', 'PX', 1000)
return 1
