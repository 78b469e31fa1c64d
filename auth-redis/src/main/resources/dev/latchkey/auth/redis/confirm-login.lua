-- Checks that a change of a session is still there, and writes a key. A caller that waits for the replication of this write also waits for the session.
-- KEYS: the session; the key to write; for a started session the list of its owner.
-- ARGV: 'started', the hash of the token, and the digest of the session; 'replaced', and the hash of the new token; or 'ended'.
-- Returns 1 if the change is there. A token that the next token has replaced meanwhile counts as there. Returns 0 otherwise.
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
