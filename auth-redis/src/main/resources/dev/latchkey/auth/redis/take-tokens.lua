-- Takes tokens from a bucket, or puts tokens back. If each window has the least number, takes the available tokens, up to the most. Otherwise takes the
-- least number in advance, if the wait for these tokens is short enough; then the next caller waits longer.
-- KEYS: the bucket.
-- ARGV: the most, negative to put back; the microseconds to add to this server's clock; the least; the longest wait; for each window the number of its
-- tokens, and the time in which all tokens come back. All times are microseconds.
-- The bucket is a text: the time of its last use, and for each window the spent share at that time and the period of the window. So the spent share stays
-- the same under another policy. A share above 1 is overdrawn; another period forgives the overdrawn part. A full bucket has no key.
-- Returns the number of taken tokens, the wait until the least of these tokens is there, and the number of remaining tokens.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] + ARGV[2]
local most, least, longest = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
local before = {}
for number in string.gmatch(redis.call('GET', KEYS[1]) or '', '%S+') do
  before[#before + 1] = tonumber(number)
end
local elapsed = math.max(0, now - (before[1] or now))
-- The clock was set back. The new time is stored; otherwise no token would come back until the old time.
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
  -- Fractions are exact to a millionth of a token.
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
