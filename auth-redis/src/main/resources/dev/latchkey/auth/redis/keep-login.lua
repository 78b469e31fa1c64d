-- Keeps a login: a new one, or one that is put in the place of the one that is there.
-- KEYS: the login. ARGV: for how many milliseconds it is kept; 'new', or 'replaces'; the hash that its token must have to be replaced; and
-- the names and values of its fields.
-- Answers one where it is kept, zero where its token has another hash or it is gone.
if ARGV[2] == 'replaces' and redis.call('HGET', KEYS[1], 'token-hash') ~= ARGV[3] then
  return 0
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('DEL', KEYS[1])
end
redis.call('HSET', KEYS[1], unpack(ARGV, 4))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
