import { script } from './script.ts';

/*
 * Keys of a log: `<log>` is a hash with the id of the start, the id of the newest event (`last`), of the newest forgotten event
 * (`gone`), of the newest event at the last clear (`cleared`), and the bytes of all events. `<log>:counts` and `<log>:bytes` have a
 * member for each type of event. `<log>:events:<type>` is the stream of a type, whose ids are `<id>-0`, and `<log>:weights:<type>`
 * the list of `<id> <bytes>` of its events, oldest first. `<log>:by:<replica>` is the number of the last batch of a replica.
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

-- An engine that has lost the log, or its newest events, goes on with the start and the ids that the caller knows.
local function open(start, known)
  local meta = redis.call('HMGET', log, 'start', 'last', 'removed')
  if meta[3] then return end
  local last = math.max(tonumber(meta[2]) or 0, known)
  if not meta[1] then
    redis.call('HSET', log, 'start', start)
    wipe(last)
  elseif last > tonumber(meta[2]) then
    redis.call('HSET', log, 'last', last)
  end
  return last
end
`;

/**
 * Appends a batch. Arguments: the start and the newest id that the caller knows, the replica, the number of the batch, `again` for
 * one that was sent before, the name of the log for the bell, most events of a type, most bytes; then for each event its type,
 * bytes, real time (empty where it is that of the event) and JSON. The type `clear` forgets all events. Answers with the start and the newest id.
 */
export const appendScript = script(`${shared}
local before = open(ARGV[1], tonumber(ARGV[2]))
if not before then return {ARGV[1], tonumber(ARGV[2])} end
local start = redis.call('HGET', log, 'start')
local by = log .. ':by:' .. ARGV[3]
if ARGV[5] == 'again' and redis.call('GET', by) == ARGV[4] then return {start, before} end
redis.call('SET', by, ARGV[4], 'EX', 600)

local capacity, most = tonumber(ARGV[7]), tonumber(ARGV[8])
local last, total, gone = before, 0, 0
local sizes, added, lengths, trims = {}, {}, {}, {}

local function load()
  local meta = redis.call('HMGET', log, 'bytes', 'gone')
  total, gone = tonumber(meta[1]) or 0, tonumber(meta[2]) or 0
  sizes, added, lengths, trims = {}, {}, {}, {}
end

local function sizeOf(kind)
  if not sizes[kind] then sizes[kind] = tonumber(redis.call('HGET', log .. ':bytes', kind)) or 0 end
  return sizes[kind]
end

-- The oldest event of a type leaves; false where there is none.
local function drop(kind)
  local oldest = redis.call('LPOP', log .. ':weights:' .. kind)
  if not oldest then return false end
  local id, weight = string.match(oldest, '^(%d+) (%d+)$')
  id, weight = tonumber(id), tonumber(weight)
  sizes[kind], total = sizeOf(kind) - weight, total - weight
  trims[kind], gone = id + 1, math.max(gone, id)
  return true
end

local function makeRoom()
  local all = redis.call('HGETALL', log .. ':bytes')
  for i = 1, #all, 2 do sizes[all[i]] = sizes[all[i]] or tonumber(all[i + 1]) end
  while total > most do
    local heaviest
    for kind, size in pairs(sizes) do
      if not heaviest or size > sizes[heaviest] then heaviest = kind end
    end
    if not heaviest or not drop(heaviest) then return end
  end
end

local function save()
  for kind, length in pairs(lengths) do
    for _ = capacity + 1, length do drop(kind) end
  end
  if total > most then makeRoom() end
  for kind, from in pairs(trims) do redis.call('XTRIM', log .. ':events:' .. kind, 'MINID', from .. '-0') end
  for kind, size in pairs(sizes) do redis.call('HSET', log .. ':bytes', kind, size) end
  for kind, count in pairs(added) do redis.call('HINCRBY', log .. ':counts', kind, count) end
  redis.call('HSET', log, 'last', last, 'gone', gone, 'bytes', total)
end

load()
for i = 9, #ARGV, 4 do
  local kind, weight = ARGV[i], tonumber(ARGV[i + 1])
  if kind == 'clear' then
    save()
    wipe(last)
    load()
  else
    last = last + 1
    local stream = log .. ':events:' .. kind
    if ARGV[i + 2] == '' then redis.call('XADD', stream, last .. '-0', 'e', ARGV[i + 3])
    else redis.call('XADD', stream, last .. '-0', 'e', ARGV[i + 3], 'w', ARGV[i + 2]) end
    lengths[kind] = redis.call('RPUSH', log .. ':weights:' .. kind, last .. ' ' .. weight)
    added[kind] = (added[kind] or 0) + 1
    sizes[kind], total = sizeOf(kind) + weight, total + weight
  end
end
save()
if last > before then redis.call('XADD', KEYS[2], 'MAXLEN', '~', 1000, '*', 'log', ARGV[6]) end
return {start, last}
`);

/**
 * Reads what is new. Arguments: the start and the newest id that the caller knows, the id up to which it has read, the id of the last clear that
 * it knows, most events of each type; then types and the ids up to which it has read these already. Answers with the start, the newest id, the newest forgotten id, the id of the last
 * clear, and where there is something new: the counts by type, and the entries by type.
 */
export const readScript = script(`${shared}
local known = tonumber(ARGV[2])
local last = open(ARGV[1], known)
if not last then return {ARGV[1], known, known, known, {}, {}} end
local meta = redis.call('HMGET', log, 'start', 'gone', 'cleared')
local answer = {meta[1], last, tonumber(meta[2]), tonumber(meta[3])}
if last == tonumber(ARGV[3]) and answer[4] == tonumber(ARGV[4]) then return answer end
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

/** Deletes a log. What replicas append to it within the next hour is not kept. */
export const removeScript = script(`${shared}
wipe(0)
redis.call('DEL', log)
redis.call('HSET', log, 'removed', 1)
redis.call('EXPIRE', log, 3600)
return 1
`);
