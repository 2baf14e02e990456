import { script } from './script.ts';

/**
 * Answers with the version, the time of the engine, why it takes no writes (empty if it does), and each entry that changed after the version of the caller.
 * `KEYS`: version, changed (field by version), entries. `ARGV`: the version of the caller.
 */
export const refreshScript = script(`
local version = tonumber(redis.call('GET', KEYS[1]) or '0')
local refused = redis.pcall('SETNX', KEYS[1], 0)
local time = redis.call('TIME')
local answer = { tostring(version), time[1], time[2], type(refused) == 'table' and refused.err or '' }
local known = tonumber(ARGV[1])
if version > known then
  for _, field in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. known, '+inf')) do
    answer[#answer + 1] = field
    answer[#answer + 1] = redis.call('HGET', KEYS[3], field) or ''
  end
end
return answer
`);

/**
 * Writes entries under a new version, which it answers with; 0 if the caller has lost its lease.
 * `KEYS`: version, changed, entries, lease. `ARGV`: the token of the lease or nothing, then field and JSON in turn. Entries that
 * are gone are remembered until there are many: by then each replica has seen them.
 */
export const publishScript = script(`
if ARGV[1] ~= '' and redis.call('GET', KEYS[4]) ~= ARGV[1] then return 0 end
local version = redis.call('INCR', KEYS[1])
for place = 2, #ARGV, 2 do
  redis.call('HSET', KEYS[3], ARGV[place], ARGV[place + 1])
  redis.call('ZADD', KEYS[2], version, ARGV[place])
end
if redis.call('ZCARD', KEYS[2]) > 20000 then
  for _, field in ipairs(redis.call('ZRANGE', KEYS[2], 0, 99)) do
    if redis.call('HGET', KEYS[3], field) == '' then
      redis.call('HDEL', KEYS[3], field)
      redis.call('ZREM', KEYS[2], field)
    end
  end
end
return version
`);

/**
 * Writes the entries that the engine does not have, for an engine that has lost its memory: of several replicas that do so the
 * first one counts. `KEYS` as above without the lease; `ARGV`: field and JSON in turn.
 */
export const restoreScript = script(`
local version = redis.call('INCR', KEYS[1])
for place = 1, #ARGV, 2 do
  if redis.call('HSETNX', KEYS[3], ARGV[place], ARGV[place + 1]) == 1 then
    redis.call('ZADD', KEYS[2], version, ARGV[place])
  end
end
`);

/**
 * Charges one request to an armed fault, and answers with the fault as it is then; false if it is over. `KEYS` as
 * above without the lease; `ARGV`: the field, and 1 for a fault that stays until its last request is let go.
 */
export const chargeScript = script(`
local json = redis.call('HGET', KEYS[3], ARGV[1])
if not json or json == '' then return false end
local fault = cjson.decode(json)
if fault.times == 0 then return false end
if fault.times ~= 'always' then fault.times = fault.times - 1 end
fault.met = fault.met + 1
local charged = cjson.encode(fault)
local is_over = fault.times == 0 and ARGV[2] ~= '1'
redis.call('HSET', KEYS[3], ARGV[1], is_over and '' or charged)
redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[1]), ARGV[1])
return charged
`);
