import { createHash } from 'node:crypto';
import type { Row, Rows, RowsFactory } from '../../server/resources/rows.ts';
import type { Argument, Engine } from './engine.ts';
import { script } from './script.ts';
import { jsonAt } from './store-unavailable.ts';

// A collection has three keys: a hash of its rows by id, a sorted set of the ids of rows that were created, and the next id. The
// last one is missing until somebody seeds the rows: a script then answers `unseeded`, and its caller seeds them and asks again.

/** Milliseconds for which the engine keeps the rows of a collection that nobody asks for. */
const kept = 30 * 24 * 3600 * 1000;

const shared = `
local rows, created, next_id = KEYS[1], KEYS[2], KEYS[3]
local function last()
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ${kept}) end
end
`;
const seeded = `${shared}
if redis.call('EXISTS', next_id) == 0 then return 'unseeded' end
last()
`;

/** The next id, and the ids and rows of the seed. What another replica seeded stays. */
const seedScript = script(`${shared}
if redis.call('EXISTS', next_id) == 1 then return end
redis.call('DEL', rows, created)
redis.call('SET', next_id, ARGV[1])
for at = 2, #ARGV, 2 do redis.call('HSET', rows, ARGV[at], ARGV[at + 1]) end
last()
`);
const allScript = script(`${seeded} return redis.call('HVALS', rows)`);
const getScript = script(`${seeded} return redis.call('HGET', rows, ARGV[1])`);
/** The most created rows, and the members of the row. A script cannot write JSON as it was, so the id goes before them. */
const createScript = script(`${seeded}
local id = redis.call('INCR', next_id) - 1
redis.call('HSET', rows, id, '{"id":'..string.format('%d', id)..ARGV[2])
redis.call('ZADD', created, id, id)
while redis.call('ZCARD', created) > tonumber(ARGV[1]) do
  local oldest = redis.call('ZRANGE', created, 0, 0)[1]
  redis.call('ZREM', created, oldest)
  redis.call('HDEL', rows, oldest)
end
return id
`);
const replaceScript = script(`${seeded}
if redis.call('HEXISTS', rows, ARGV[1]) == 0 then return 0 end
redis.call('HSET', rows, ARGV[1], ARGV[2])
return 1
`);
const deleteScript = script(`${seeded}
redis.call('ZREM', created, ARGV[1])
return redis.call('HDEL', rows, ARGV[1])
`);

/** Rows of the sample backend that all replicas share. `name` is the one of the issuer. */
export function createEngineRows(engine: Pick<Engine, 'key' | 'run' | 'send'>, name: readonly string[]): RowsFactory {
  return ({ name: collection, definition, seed, mostCreated }) => {
    const version = createHash('sha256').update(JSON.stringify(definition)).digest('base64url').slice(0, 12);
    const base = engine.key(`{${[...name, collection, version].join(':')}}`);
    return rowsAt(engine, [`${base}:rows`, `${base}:created`, `${base}:next`], seed, mostCreated);
  };
}

function rowsAt(
  engine: Pick<Engine, 'run' | 'send'>,
  keys: readonly string[],
  seed: ReadonlyMap<number, Row>,
  mostCreated: number,
): Rows {
  async function run(asked: typeof allScript, ...args: readonly Argument[]): Promise<unknown> {
    for (;;) {
      const answer = await engine.run(asked, keys, args);
      if (answer !== 'unseeded') return answer;
      const rows = [...seed].flatMap(([id, row]) => [id, JSON.stringify(row)]);
      await engine.run(seedScript, keys, [Math.max(0, ...seed.keys()) + 1, ...rows]);
    }
  }

  return {
    async all() {
      const rows = ((await run(allScript)) as string[]).map(row => rowIn(keys, row));
      return inOrder(rows, seed);
    },
    created: async () => Number(await engine.send('ZCARD', keys[1] ?? '')),
    async get(id) {
      const row = await run(getScript, id);
      return typeof row === 'string' ? rowIn(keys, row) : undefined;
    },
    async create(values) {
      const members = JSON.stringify(Object.fromEntries(values)).slice(1);
      const id = Number(await run(createScript, mostCreated, members === '}' ? members : `,${members}`));
      return { id, row: rowOf(id, values) };
    },
    async replace(id, values) {
      const row = rowOf(id, values);
      return (await run(replaceScript, id, JSON.stringify(row))) === 1 ? row : undefined;
    },
    delete: async id => (await run(deleteScript, id)) === 1,
    async reset() {
      await engine.send('DEL', ...keys);
    },
  };
}

/** The seed in its order, then the created rows: their ids grow. */
function inOrder(rows: readonly Row[], seed: ReadonlyMap<number, Row>): Row[] {
  const places = new Map([...seed.keys()].map((id, place) => [id, place]));
  const placeOf = ({ id }: Row) => places.get(Number(id)) ?? seed.size + Number(id);
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function rowIn([rows = '']: readonly string[], json: string): Row {
  return jsonAt(rows, json) as Row; // written here
}

/** `fromEntries` defines own properties, whatever the names. */
function rowOf(id: number, values: Parameters<Rows['create']>[0]): Row {
  return Object.fromEntries([['id', id], ...values]);
}
