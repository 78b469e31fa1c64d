-- Finds the commands that the user may not call, with a key that is deleted afterwards. A script has the rights of its user.
-- KEYS: the key.
-- ARGV: the commands.
-- Returns the missing commands, separated by spaces; KEYS if the user may not use such a key.
local key = KEYS[1]
local arguments = {
  TIME = {}, GET = { key }, SET = { key, '', 'PX', '1' }, DEL = { key }, EXISTS = { key }, PTTL = { key }, PEXPIRE = { key, '1' }, INCR = { key },
  HGET = { key, 'f' }, HSET = { key, 'f', '' }, HDEL = { key, 'f' }, HGETALL = { key },
  ZADD = { key, '0', 'm' }, ZCARD = { key }, ZREM = { key, 'm' }, ZSCORE = { key, 'm' }, ZRANGE = { key, '0', '0' }, ZREVRANGE = { key, '0', '0' },
  ZRANGEBYSCORE = { key, '0', '0' }, ZREMRANGEBYSCORE = { key, '0', '0' },
}
local missing = {}
for _, command in ipairs(ARGV) do
  local answer = redis.pcall(command, unpack(arguments[command]))
  local refusal = type(answer) == 'table' and answer.err or ''
  if string.find(refusal, 'key', 1, true) and string.find(refusal, 'access', 1, true) then
    return 'KEYS'
  end
  if string.find(refusal, 'NOPERM', 1, true) or string.find(refusal, 'permission', 1, true) or string.find(refusal, "can't run this command", 1, true) then
    missing[#missing + 1] = command
  end
  redis.pcall('DEL', key)
end
return table.concat(missing, ' ')
