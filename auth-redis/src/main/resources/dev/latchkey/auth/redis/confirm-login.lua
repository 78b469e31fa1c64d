-- Looks whether what somebody has just made of a login is still so, and writes something: who waits for this write waits for the login too.
-- KEYS: the login; what is written; the list of its owner's, for one that was started.
-- ARGV: 'started', and its token's hash and its digest; 'replaced', and the hash of the new token; or 'ended'.
-- Answers one where it is so. A token that was replaced by the next one since is there too.
local hash = redis.call('HGET', KEYS[1], 'token-hash')
if ARGV[1] == 'started' and not (hash == ARGV[2] and redis.call('ZSCORE', KEYS[3], ARGV[3])) then
  return 0
end
if ARGV[1] == 'replaced' and hash ~= ARGV[2] and redis.call('HGET', KEYS[1], 'replaced-hash') ~= ARGV[2] then
  return 0
end
if ARGV[1] == 'ended' and hash then
  return 0
end
redis.call('SET', KEYS[2], '', 'PX', 1000)
return 1
