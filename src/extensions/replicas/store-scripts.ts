import { script } from './script.ts';

// A store has one hash, the base, and two keys for each kind: a hash of its values, and a sorted set of its ids, the oldest
// first. The base holds the number of entries ever kept (`n`) and the weight of each kind (`w:` and its name), so that it also
// says which kinds there are. The names of the keys are made in the scripts: all begin with the base, whose name has a hash tag,
// so that a cluster has them in one place.

/** Both keys of a kind. A value is the sandbox time of its end, a space, and JSON. */
const shared = `
local base, now = KEYS[1], tonumber(ARGV[1])
local function names(kind) return base..':v:'..kind, base..':o:'..kind end
local function is_live(kept) return kept and tonumber(string.match(kept, '^%S+')) > now end
local function live(kind, id)
  local values = names(kind)
  local kept = redis.call('HGET', values, id)
  return is_live(kept) and kept
end
local function drop(kind, id)
  local values, order = names(kind)
  local size = redis.call('HSTRLEN', values, id)
  redis.call('ZREM', order, id)
  if redis.call('HDEL', values, id) == 0 then return end
  redis.call('HINCRBY', base, 'w:'..kind, -size)
end
-- A full engine refuses it, because it would not keep what comes of the value, which stays for another attempt.
local function use(kind, id)
  redis.call('HSETNX', base, 'n', 0)
  drop(kind, id)
end
`;

/**
 * Keeps an entry as the newest of its kind. The two oldest go if they have expired, so that what nobody asks for again does not
 * stay; beyond the bounds an expired one of the oldest sixteen goes, or else the oldest. The keys live in the time of the
 * engine for at least `ttl` milliseconds more, which is longer than any of their entries. The first write needs memory, so that a
 * full engine refuses the script: once one has removed something, the engine lets it write anything.
 */
const keeping = `
local most, heaviest = tonumber(ARGV[2]), tonumber(ARGV[3])
local function is_past(values, id) return not is_live(redis.call('HGET', values, id)) end
local function make_room(kind)
  local values, order = names(kind)
  local oldest = redis.call('ZRANGE', order, 0, 15)
  for _, id in ipairs(oldest) do
    if is_past(values, id) then return drop(kind, id) end
  end
  drop(kind, oldest[1])
end
local function last(key, ttl)
  if redis.call('PTTL', key) < ttl then redis.call('PEXPIRE', key, ttl) end
end
local function keep(kind, id, value, ttl)
  local values, order = names(kind)
  local place = redis.call('HINCRBY', base, 'n', 1)
  drop(kind, id)
  redis.call('HSET', values, id, value)
  redis.call('ZADD', order, place, id)
  if redis.call('HLEN', values) == 1 then redis.call('HSET', base, 'w:'..kind, 0) end
  redis.call('HINCRBY', base, 'w:'..kind, #value)
  for _, old in ipairs(redis.call('ZRANGE', order, 0, 1)) do
    if old ~= id and is_past(values, old) then drop(kind, old) end
  end
  while redis.call('ZCARD', order) > most do make_room(kind) end
  while tonumber(redis.call('HGET', base, 'w:'..kind)) > heaviest and redis.call('ZCARD', order) > 1 do make_room(kind) end
  for _, key in ipairs({ base, values, order }) do last(key, ttl) end
end
`;

/** `now`, most entries, most weight, kind, id, value, milliseconds. */
export const putScript = script(`${shared}${keeping}
keep(ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]))
`);

/** The same; 1 if it was kept. */
export const addScript = script(`${shared}${keeping}
if live(ARGV[4], ARGV[5]) then return 0 end
keep(ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]))
return 1
`);

/** `now`, kind, id; the value that was there. */
export const takeScript = script(`${shared}
local kept = live(ARGV[2], ARGV[3])
if kept then use(ARGV[2], ARGV[3]) end
return kept
`);

/** As `addScript`, and the JSON of the value that must be there; an empty text means no value. 1 if it was replaced. */
export const swapScript = script(`${shared}${keeping}
local kept = live(ARGV[4], ARGV[5])
local json = kept and string.match(kept, '^%S+ (.*)') or ''
if json ~= ARGV[8] then return 0 end
if ARGV[6] == '' then use(ARGV[4], ARGV[5]) else keep(ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7])) end
return 1
`);

/** `now`, kind, id. */
export const deleteScript = script(`${shared}
drop(ARGV[2], ARGV[3])
`);

/** `now`, and kinds; kind, id and value of each entry in turn, the oldest of a kind first. */
export const entriesScript = script(`${shared}
local found = {}
for at = 2, #ARGV do
  local kind = ARGV[at]
  local values, order = names(kind)
  for _, id in ipairs(redis.call('ZRANGE', order, 0, -1)) do
    local kept = live(kind, id)
    if kept then
      table.insert(found, kind)
      table.insert(found, id)
      table.insert(found, kept)
    end
  end
end
return found
`);

/** `now`, and the kind, or nothing for all. The memory is free at once, and the engine frees it beside its work. */
export const clearScript = script(`${shared}
local function clear(kind)
  local values, order = names(kind)
  redis.call('UNLINK', values, order)
  redis.call('HDEL', base, 'w:'..kind)
end
if ARGV[2] then return clear(ARGV[2]) end
for _, field in ipairs(redis.call('HKEYS', base)) do
  if string.sub(field, 1, 2) == 'w:' then clear(string.sub(field, 3)) end
end
`);

/** `now`; each kind and the number of its entries in turn. */
export const sizesScript = script(`${shared}
local sizes = {}
for _, field in ipairs(redis.call('HKEYS', base)) do
  if string.sub(field, 1, 2) == 'w:' then
    local kind = string.sub(field, 3)
    sizes[#sizes + 1] = kind
    sizes[#sizes + 1] = redis.call('HLEN', (names(kind)))
  end
end
return sizes
`);
