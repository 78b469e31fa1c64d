-- Takes tokens from a bucket: where each of its windows has the least that is wanted, what there is, up to the most; else the least all the same, where
-- the wait for it is short enough, so that the next one waits longer. Or puts tokens back, up to what it holds.
-- KEYS: the bucket. ARGV: the most, below zero for put back; what is added to this server's clock; the least; the longest wait; and of each window how
-- many tokens it holds and in how long they all come back. Times are microseconds.
-- The bucket is a text: when it was looked at, and of each window which share of it was spent then and in how long all of it comes back. So another
-- policy finds the same share spent; what was overdrawn, a share above one, it forgives. A bucket that is full has no key.
-- Answers how many were taken, after how long the least of them is there, and how many are left.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] + ARGV[2]
local most, least, longest = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
local before = {}
for number in string.gmatch(redis.call('GET', KEYS[1]) or '', '%S+') do
  before[#before + 1] = tonumber(number)
end
local elapsed = math.max(0, now - (before[1] or now))
-- A clock that was set back: it is written down, or nothing would come back until it is where it was.
local isChanged = now < (before[1] or now)
local windows, there, wait = {}, math.huge, 0
for i = 5, #ARGV, 2 do
  local window = { tokens = tonumber(ARGV[i]), period = tonumber(ARGV[i + 1]), share = 0 }
  local at = 2 * #windows + 2
  if before[at + 1] then
    window.share = math.max(0, before[at] - elapsed / before[at + 1])
    if before[at + 1] ~= window.period then
      isChanged = true
      window.share = math.min(1, window.share)
    end
  end
  -- A millionth of a token is what counting in fractions may be wrong by.
  there = math.min(there, math.floor((1 - window.share) * window.tokens + 0.000001))
  wait = math.max(wait, math.ceil((window.share + least / window.tokens - 1) * window.period))
  windows[#windows + 1] = window
end
local taken = 0
if most < 0 then
  taken, wait = most, 0
elseif there >= least then
  taken, wait = math.min(most, there), 0
elseif wait <= longest then
  taken = least
end
if taken ~= 0 or isChanged then
  local text, fullIn = { string.format('%.0f', now) }, 0
  for _, window in ipairs(windows) do
    local share = math.max(0, window.share + taken / window.tokens)
    fullIn = math.max(fullIn, share * window.period)
    text[#text + 1] = string.format('%.17g %.17g', share, window.period)
  end
  if fullIn > 0 then
    redis.call('SET', KEYS[1], table.concat(text, ' '), 'PX', math.ceil(fullIn / 1000))
  else
    redis.call('DEL', KEYS[1])
  end
end
return string.format('%.0f %.0f %.0f', taken, wait, math.max(0, there - math.max(0, taken)))
