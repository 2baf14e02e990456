import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../src/base/events/search.ts';
import { jsonSchemaOf } from '../../../../src/sandbox/config/json-schema.ts';
import type { Operation } from '../../../../src/sandbox/control/api/operation.ts';
import { eventSearch } from '../../../../src/sandbox/control/events/event-search.ts';
import { sensorToken } from '../../../support/authorization-url.ts';
import { operations } from '../../../support/tables.ts';
import { type Called, type ControlledSandbox, controlled } from './support.ts';

/** fast-check prints it with what fails; the same runs on every machine. */
const seed = 5_2026;
const testBegan = Date.now() / 1000;

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
}

/** What means something to the sandbox, so that values get beyond the first check. */
const texts = fc.oneof(
  fc.constantFrom('frontend', 'sensor', 'alice', 'bob', 'openid', 'token', 'expired', 'slow', 'sub', 'any', '7'),
  fc.constantFrom('http://localhost:5173/callback', 'password', 'authorization_code', 'x'.repeat(300)),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const json = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' });
const numbers = fc.oneof(fc.integer({ min: -5, max: 100 }), fc.double());

/** A value of a JSON schema, as near as its types say. */
function like(schema: Schema): fc.Arbitrary<unknown> {
  const { enum: values, anyOf, properties, items, type } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (values !== undefined) return fc.constantFrom(...values);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(like));
  if (properties !== undefined) return members(properties, schema.required);
  if (type === 'array') return fc.array(like(items ?? {}), { maxLength: 3 });
  if (type === 'string') return texts;
  if (type === 'number' || type === 'integer') return numbers;
  if (type === 'boolean') return fc.boolean();
  return type === 'object' ? fc.dictionary(texts, json, { maxKeys: 3 }) : json;
}

/** What must be there and a few other members, most as they should be. */
function members(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): fc.Arbitrary<unknown> {
  const all = Object.keys(properties);
  return fc.subarray(all, { maxLength: Math.min(all.length, 4) }).chain(names => {
    const rows = [...new Set([...required, ...names])].map(name => {
      const one = fc.oneof({ weight: 9, arbitrary: like(properties[name] ?? {}) }, { weight: 1, arbitrary: json });
      return [name, one] as const;
    });
    return fc.record(Object.fromEntries(rows));
  });
}

const bodyFor = ({ body }: Operation) =>
  body === undefined
    ? json
    : fc.oneof({ weight: 4, arbitrary: like(jsonSchemaOf(body) as Schema) }, { weight: 1, arbitrary: json });

const name = fc.oneof(
  fc.constantFrom('frontend', 'sensor', 'alice', 'bob'),
  fc.string({ unit: 'binary', minLength: 1 }),
);
/** Without those that wait, which have tests of their own. */
const changing = operations.filter(({ isLong, method }) => isLong !== true && method !== 'GET');
const requests = fc
  .constantFrom(...changing)
  .chain(operation => fc.record({ operation: fc.constant(operation), name, body: bodyFor(operation) }));

/** What only reads, with a query: its members, and now and then another. */
const reading = operations.filter(({ isLong, method }) => isLong !== true && method === 'GET');
const readings = fc.constantFrom(...reading).chain(operation => {
  const { properties = {} } = operation.query === undefined ? {} : (jsonSchemaOf(operation.query) as Schema);
  const values = fc.oneof(
    ...Object.values(properties).map(schema => like(schema).map(String)),
    texts,
    fc.constantFrom('client:sensor', 'type:token.issued status:>3', 'age:<5m', '-'),
  );
  const member = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...Object.keys(properties), 'q') }, texts);
  const query = fc.dictionary(member, values, { maxKeys: 3 });
  return fc.record({ operation: fc.constant(operation), name, query });
});

const pathOf = ({ path }: Operation, sent: string) => path.replace(/\{.+?\}/, encodeURIComponent(sent));

/** Not what ends by itself within the test, or its end would pass for a change. */
function lasting(read: readonly Record<string, unknown>[]): unknown {
  const isLasting = (each: { until?: number; expiresAt?: number }) =>
    each.until === undefined && (each.expiresAt ?? Number.POSITIVE_INFINITY) > testBegan + 60;
  return read.map(body => Object.values(body).map(list => (Array.isArray(list) ? list.filter(isLasting) : list)));
}

/** All that a change may change. */
async function everything({ call }: ControlledSandbox): Promise<unknown> {
  const { body: clock } = await call('GET /clock');
  const lists = ['/clients', '/users', '/faults', '/issuers', '/sessions', '/keys', '/scopes'];
  const read = await Promise.all(lists.map(async path => (await call(`GET ${path}`)).body));
  return { frozen: clock.frozen, offset: Math.round(clock.offset), api: clock.api.frozen, read: lasting(read) };
}

function expectProblem({ status, headers, body }: Called): void {
  expect(headers.get('content-type')).toContain('application/problem+json');
  expect(body).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
  for (const { member, expected } of body.errors ?? []) {
    expect([typeof member, typeof expected, expected.length > 0]).toEqual(['string', 'string', true]);
  }
  expect(body.errors ?? [body.expected], JSON.stringify(body)).not.toEqual([undefined]);
}

describe('the control API, whatever is sent', () => {
  it('never fails, and what it refuses is told in full and has changed nothing', async () => {
    const one = await controlled();
    let before = await everything(one);
    await fc.assert(
      fc.asyncProperty(requests, async ({ operation, name: sent, body }) => {
        const called = await one.call(`${operation.method} ${pathOf(operation, sent)}`, body);
        expect(called.status, JSON.stringify(called.body)).toBeLessThan(500);
        const after = await everything(one);
        if (called.status >= 400) {
          expectProblem(called);
          expect(after).toEqual(before);
        }
        before = after;
      }),
      { seed, numRuns: 60 },
    );
  });

  it('is read with any query, and reading changes nothing', async () => {
    const one = await controlled();
    await sensorToken(one.sandbox);
    const before = await everything(one);
    await fc.assert(
      fc.asyncProperty(readings, async ({ operation, name: sent, query }) => {
        const called = await one.call(`GET ${pathOf(operation, sent)}?${new URLSearchParams(query)}`);
        expect(called.status, JSON.stringify(called.body)).toBeLessThan(500);
        if (called.status >= 400) expectProblem(called);
        else expect(Object.keys(operation.answers)).toContain(String(called.status));
      }),
      { seed, numRuns: 150 },
    );
    expect(await everything(one)).toEqual(before);
  });

  it('keeps what was made: created, read, patched and deleted', async () => {
    const { call } = await controlled();
    const claims = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    const sub = fc.stringMatching(/^[A-Za-z0-9._~-]{1,20}$/).map(each => `made-${each}`);
    await fc.assert(
      fc.asyncProperty(sub, claims, claims, async (id, first, second) => {
        const path = `/users/${encodeURIComponent(id)}`;
        const whole = JSON.parse(JSON.stringify({ sub: id, claims: first }));
        expect(await call('POST /users', whole)).toMatchObject({ status: 201, body: { sub: id } });
        expect((await call(`GET ${path}`)).body.entry.claims ?? {}).toEqual(whole.claims);
        expect((await call('POST /users', whole)).status).toBe(409);
        const patch = JSON.parse(JSON.stringify({ claims: second }));
        expect((await call(`PATCH ${path}`, patch)).status).toBe(200);
        expect((await call(`DELETE ${path}`)).status).toBe(200);
        expect((await call(`GET ${path}`)).status).toBe(404);
      }),
      { seed, numRuns: 25 },
    );
  });
});

const operators = Object.keys(eventSearch.fields);
const term = fc
  .tuple(
    fc.constantFrom('', '-', '!'),
    fc.oneof(fc.constantFrom(...operators, 'age', 'before', 'after', 'clint'), texts),
    texts,
  )
  .map(([sign, operator, value]) => `${sign}${operator}:${value}`);
const queries = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.oneof(term, texts), { maxLength: 25 }).map(all => all.join(' ')),
);

describe('the query of events', () => {
  it('is read whatever it is, and a term read again is the same term', () => {
    fc.assert(
      fc.property(queries, query => {
        const { terms, problems } = parseQuery(query, eventSearch.fields);
        for (const problem of problems) expect(problem.length).toBeGreaterThan(0);
        const text = terms.map(each => each.text).join(' ');
        expect(parseQuery(text, eventSearch.fields)).toEqual({ terms, problems: [] });
      }),
      { seed, numRuns: 2000 },
    );
  });

  it('is answered with 200 or with what is wrong with it', async () => {
    const { call } = await controlled();
    await fc.assert(
      fc.asyncProperty(queries, async query => {
        const called = await call(`GET /events?q=${encodeURIComponent(query)}`);
        if (called.status === 200) return;
        expect(called.status).toBe(400);
        expectProblem(called);
        expect(called.body.errors[0]).toMatchObject({ member: 'q' });
      }),
      { seed, numRuns: 100 },
    );
  });

  it('gives those that fit, and its negation all others', async () => {
    const { call, sandbox } = await controlled();
    await sensorToken(sandbox);
    await fetch(`${sandbox.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'frontend' }),
    });
    const facts = { client: 'client_id', type: 'type', endpoint: 'endpoint', path: 'path' } as const;
    const value = fc.constantFrom('sensor', 'frontend', 'token', 'token.issued', 'request.completed', '/oauth2/token');
    const idsOf = (body: { events: { id: number }[] }) => body.events.map(({ id }) => id);
    const all = (await call('GET /events?limit=1000')).body;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('client', 'type', 'endpoint', 'path'), value, async (operator, wanted) => {
        const asked = `${operator}:${wanted}`;
        const is = (await call(`GET /events?limit=1000&q=${encodeURIComponent(asked)}`)).body;
        const isNot = (await call(`GET /events?limit=1000&q=${encodeURIComponent(`-${asked}`)}`)).body;
        for (const event of is.events) expect(event[facts[operator]]).toBe(wanted);
        expect([...idsOf(is), ...idsOf(isNot)].sort((a, b) => a - b)).toEqual(idsOf(all));
      }),
      { seed, numRuns: 40 },
    );
  });
});
