-- Takes tokens from a bucket, if each of its windows has as many; or puts tokens back, up to what it holds.
-- KEYS: the bucket. ARGV: how many are taken, below zero for put back; what is added to this server's clock; and of each window how many tokens it
-- holds and in how long they all come back. Times are microseconds.
-- The bucket is a text: when it was looked at, and of each window which share of it was spent then and in how long all of it comes back. So another
-- policy finds the same share spent. A bucket that is full has no key.
-- Answers zero where they were taken, and otherwise after how long they will be there; then none was taken.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] + ARGV[2]
local amount = tonumber(ARGV[1])
local before = {}
for number in string.gmatch(redis.call('GET', KEYS[1]) or '', '%S+') do
  before[#before + 1] = tonumber(number)
end
local elapsed = math.max(0, now - (before[1] or now))
local spent, periods, wait, isChanged = {}, {}, 0, false
for i = 3, #ARGV, 2 do
  local tokens, period = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local share = 0
  if before[i] then
    share = math.max(0, before[i - 1] - elapsed / before[i])
    isChanged = isChanged or before[i] ~= period
  end
  local after = share + amount / tokens
  -- A millionth of a token is what counting in fractions may be wrong by.
  if amount > 0 and after > 1 + 0.000001 / tokens then
    wait = math.max(wait, math.ceil((after - 1) * period))
  end
  spent[#spent + 1] = { share, math.max(0, after) }
  periods[#periods + 1] = period
end
if wait > 0 and not isChanged then
  return wait
end
local text, fullIn = { string.format('%.0f', now) }, 0
for i = 1, #spent do
  local share = wait > 0 and spent[i][1] or spent[i][2]
  fullIn = math.max(fullIn, share * periods[i])
  text[#text + 1] = string.format('%.17g %.17g', share, periods[i])
end
if fullIn > 0 then
  redis.call('SET', KEYS[1], table.concat(text, ' '), 'PX', math.ceil(fullIn / 1000))
else
  redis.call('DEL', KEYS[1])
end
return wait
