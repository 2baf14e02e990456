import { script } from './script.ts';

/*
 * Keys of a log: `<log>` is a hash with the id of the start, the id of the newest event (`last`), of the newest forgotten event
 * (`gone`), of the newest event at the last clear (`cleared`), and the bytes of all events. The hashes `<log>:counts` and
 * `<log>:bytes` have a field for each type of event. `<log>:events:<type>` is the stream of a type, whose ids are `<id>-0`, and
 * `<log>:weights:<type>` the list of `<id> <bytes>` of its events, oldest first. `<log>:by:<replica>` is the number of the last
 * batch of a replica.
 */

const shared = `
local log = KEYS[1]

local function wipe(last)
  for _, kind in ipairs(redis.call('HKEYS', log .. ':counts')) do
    redis.call('DEL', log .. ':events:' .. kind, log .. ':weights:' .. kind)
  end
  redis.call('DEL', log .. ':counts', log .. ':bytes')
  redis.call('HSET', log, 'last', last, 'gone', last, 'cleared', last, 'bytes', 0)
end

-- The log as it is. An engine that has lost it, or its newest events, goes on with the start and the ids that the caller knows.
local function open(start, known)
  local found = redis.call('HMGET', log, 'removed', 'start', 'last', 'gone', 'cleared', 'bytes')
  if found[1] then return end
  local last = math.max(tonumber(found[3]) or 0, known)
  if not found[2] then
    redis.call('HSET', log, 'start', start)
    wipe(last)
    return { start = start, last = last, gone = last, cleared = last, bytes = 0 }
  end
  if last > tonumber(found[3]) then redis.call('HSET', log, 'last', last) end
  return {
    start = found[2], last = last, gone = tonumber(found[4]), cleared = tonumber(found[5]), bytes = tonumber(found[6])
  }
end
`;

/**
 * Appends a batch. Arguments: the start and the newest id that the caller knows, the replica, the number of the batch, `again` for
 * one that was sent before, the name of the log for the bell, most events of a type, most bytes; then for each event its type,
 * bytes, real time (empty where it is that of the event) and JSON. The type `clear` forgets all events. Answers with the start
 * and the newest id. Of each type a tenth more is kept than is allowed, so that most batches remove nothing: readers leave it out.
 */
export const appendScript = script(`${shared}
local meta = open(ARGV[1], tonumber(ARGV[2]))
if not meta then return {ARGV[1], tonumber(ARGV[2])} end
local by = log .. ':by:' .. ARGV[3]
if ARGV[5] == 'again' and redis.call('GET', by) == ARGV[4] then return {meta.start, meta.last} end
redis.call('SET', by, ARGV[4], 'EX', 600)

local capacity, most = tonumber(ARGV[7]), tonumber(ARGV[8])
local before, last, bytes, gone = meta.last, meta.last, meta.bytes, meta.gone
local sizes, trims = {}, {}

-- The oldest events of a type leave; false where there are none.
local function drop(kind, count)
  local oldest = redis.call('LPOP', log .. ':weights:' .. kind, count)
  if not oldest then return false end
  local id, weight
  for _, each in ipairs(oldest) do
    id, weight = string.match(each, '^(%d+) (%d+)$')
    sizes[kind], bytes = sizes[kind] - tonumber(weight), bytes - tonumber(weight)
  end
  trims[kind], gone = tonumber(id) + 1, math.max(gone, tonumber(id))
  return true
end

local function makeRoom()
  local all = redis.call('HGETALL', log .. ':bytes')
  for i = 1, #all, 2 do
    local kind = all[i]
    sizes[kind] = sizes[kind] or tonumber(all[i + 1])
  end
  for kind in pairs(sizes) do
    local over = redis.call('LLEN', log .. ':weights:' .. kind) - capacity
    if over > 0 then drop(kind, over) end
  end
  while bytes > most do
    local heaviest
    for kind, size in pairs(sizes) do
      if not heaviest or size > sizes[heaviest] then heaviest = kind end
    end
    if not heaviest or not drop(heaviest, 1) then return end
  end
end

local function add(kinds, weights)
  if #kinds == 0 then return end
  local oldSizes = redis.call('HMGET', log .. ':bytes', unpack(kinds))
  local oldCounts = redis.call('HMGET', log .. ':counts', unpack(kinds))
  local counts, newSizes = {}, {}
  sizes, trims = {}, {}
  for i, kind in ipairs(kinds) do
    sizes[kind] = (tonumber(oldSizes[i]) or 0) + weights[kind].total
    bytes = bytes + weights[kind].total
    counts[#counts + 1] = kind
    counts[#counts + 1] = (tonumber(oldCounts[i]) or 0) + #weights[kind]
    local length = redis.call('RPUSH', log .. ':weights:' .. kind, unpack(weights[kind]))
    if length > capacity * 1.1 then drop(kind, length - capacity) end
  end
  if bytes > most then makeRoom() end
  for kind, from in pairs(trims) do redis.call('XTRIM', log .. ':events:' .. kind, 'MINID', from .. '-0') end
  for kind, size in pairs(sizes) do
    newSizes[#newSizes + 1] = kind
    newSizes[#newSizes + 1] = size
  end
  redis.call('HSET', log .. ':bytes', unpack(newSizes))
  redis.call('HSET', log .. ':counts', unpack(counts))
  redis.call('HSET', log, 'last', last, 'gone', gone, 'bytes', bytes)
end

local kinds, weights = {}, {}
for i = 9, #ARGV, 4 do
  local kind, weight, wall, json = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  if kind == 'clear' then
    add(kinds, weights)
    wipe(last)
    kinds, weights, bytes, gone = {}, {}, 0, last
  else
    last = last + 1
    local stream = log .. ':events:' .. kind
    if wall == '' then redis.call('XADD', stream, last .. '-0', 'e', json)
    else redis.call('XADD', stream, last .. '-0', 'e', json, 'w', wall) end
    local own = weights[kind]
    if not own then
      own = { total = 0 }
      weights[kind] = own
      kinds[#kinds + 1] = kind
    end
    own.total = own.total + tonumber(weight)
    own[#own + 1] = last .. ' ' .. weight
  end
end
add(kinds, weights)
if last > before then redis.call('XADD', KEYS[2], 'MAXLEN', '~', 1000, '*', 'log', ARGV[6]) end
return {meta.start, last}
`);

/**
 * Reads what is new. Arguments: the start and the newest id that the caller knows, the id up to which it has read, the id of the
 * last clear that it knows, most events of each type; then types and the ids up to which it has read these already. Answers with
 * the start, the newest id, the newest forgotten id, the id of the last clear, and where there is something new: the counts by
 * type, and the entries by type.
 */
export const readScript = script(`${shared}
local known = tonumber(ARGV[2])
local meta = open(ARGV[1], known)
if not meta then return {ARGV[1], known, known, known, {}, {}} end
local answer = {meta.start, meta.last, meta.gone, meta.cleared}
if meta.last == tonumber(ARGV[3]) and meta.cleared == tonumber(ARGV[4]) then return answer end
local read = {}
for i = 6, #ARGV, 2 do read[ARGV[i]] = ARGV[i + 1] end
local counts, news = redis.call('HGETALL', log .. ':counts'), {}
for i = 1, #counts, 2 do
  local kind = counts[i]
  local after = '(' .. (read[kind] or ARGV[3]) .. '-0'
  local entries = redis.call('XRANGE', log .. ':events:' .. kind, after, '+', 'COUNT', ARGV[5])
  if #entries > 0 then
    news[#news + 1] = kind
    news[#news + 1] = entries
  end
end
answer[5], answer[6] = counts, news
return answer
`);

/** Answers with the newest id. A log that was removed may be used again. */
export const beginScript = script(`
if redis.call('HEXISTS', KEYS[1], 'removed') == 1 then redis.call('DEL', KEYS[1]) end
return tonumber(redis.call('HGET', KEYS[1], 'last') or 0)
`);

/**
 * Deletes the log of a start, but not a later one of the same name. What replicas append to it within the next hour is not
 * kept, unless one begins it again.
 */
export const removeScript = script(`${shared}
if redis.call('HGET', log, 'start') ~= ARGV[1] then return 0 end
wipe(0)
redis.call('DEL', log)
redis.call('HSET', log, 'removed', 1)
redis.call('EXPIRE', log, 3600)
return 1
`);
