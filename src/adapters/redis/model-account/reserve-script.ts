/**
 * Sets money aside for a run, in one step whoever else asks: adds up what was spent today and what others have set aside, of the
 * repository and of all, and takes what is left, at most what is wanted. The rule is `grantOf` in the domain. A reservation is
 * "until usd owner/repo".
 *
 * KEYS: reservations, today's spend. ARGV: now, run, repository, USD wanted, until, seconds to keep the reservations, then limit and
 * least rest of the repository's budget and of the service's. Answers the USD as text, or nothing.
 */
export const RESERVE_SCRIPT = `
local function entries(key)
  local found = redis.pcall('HGETALL', key)
  if found.err then return {} end
  return found
end
local now, run, repo = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local ofRepo, ofAll = 0, 0
local function count(usd, whose)
  if not (usd > 0) then return end
  ofAll = ofAll + usd
  if whose == repo then ofRepo = ofRepo + usd end
end
local spent = entries(KEYS[2])
for i = 1, #spent, 2 do count(tonumber(spent[i + 1]) or 0, spent[i]) end
local reserved = entries(KEYS[1])
for i = 1, #reserved, 2 do
  local ends, usd, whose = string.match(reserved[i + 1], '^(%d+) (%S+) (.+)$')
  if not ends or tonumber(ends) <= now then
    redis.call('HDEL', KEYS[1], reserved[i])
  elseif reserved[i] ~= run then
    count(tonumber(usd) or 0, whose)
  end
end
local function left(limit, least, used)
  local rest = tonumber(limit) - used
  if rest <= 0 or rest < tonumber(least) then return 0 end
  return rest
end
local rest = math.min(left(ARGV[7], ARGV[8], ofRepo), left(ARGV[9], ARGV[10], ofAll))
if rest <= 0 then return false end
local granted = string.format('%.17g', math.min(tonumber(ARGV[4]), rest))
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], run, ARGV[5] .. ' ' .. granted .. ' ' .. repo)
redis.call('EXPIRE', KEYS[1], ARGV[6])
return granted`;
