import * as v from 'valibot';
import { resetParts } from '../../../base/events/configuration-events.ts';
import { recordIn } from '../../../base/text/record.ts';
import { described, optional } from '../../../sandbox/control/described.ts';
import type { SandboxCalls } from '../sandbox-calls.ts';
import { listIn, moment, pathWith, text, tool } from '../tool.ts';

const reading = v.looseObject({
  now: moment('The time of the issuer'),
  offset: described(v.number(), 'Seconds ahead of the real time'),
  frozen: v.boolean(),
  next: described(v.array(v.looseObject({})), 'Valid codes, tokens and sign-ins that expire next'),
});
const faults = v.array(v.looseObject({ id: v.string(), fault: v.string(), endpoint: v.string() }));

/** The sandbox as a whole: its facts, its time, its faults, its clients' report. */
export const sandboxTools = [
  tool({
    name: 'describe_sandbox',
    title: 'Describe the sandbox',
    description:
      'Describes the sandbox: issuer, endpoints, clients, users, settings that differ from their defaults, armed faults, and the clock.',
    effect: 'reads',
    input: v.strictObject({}),
    output: v.looseObject({
      issuer: v.string(),
      dashboard: text('The pages for people'),
      endpoints: described(v.record(v.string(), v.string()), 'Addresses of the metadata'),
      clients: v.array(v.string()),
      users: v.array(v.string()),
      settings: v.array(v.looseObject({ name: v.string(), value: v.string() })),
      faults,
    }),
    run: (_input, sandbox) => describe(sandbox),
  }),
  tool({
    name: 'check_clients',
    title: 'Check clients',
    description:
      'Checks how well each client followed the rules, from its recorded requests: PKCE, state, nonce, redirect URIs, single use of codes, and more.',
    effect: 'reads',
    input: v.strictObject({ client_id: optional(v.string(), 'Only this client') }),
    output: v.looseObject({ clients: v.array(v.looseObject({ client_id: v.string() })) }),
    run: ({ client_id: client }, sandbox) => sandbox.ask({ path: pathWith('/report', { client }) }),
  }),
  tool({
    name: 'read_clock',
    title: 'Read the clock',
    description: 'Reads the clock of the sandbox, and what expires next.',
    effect: 'reads',
    input: v.strictObject({}),
    output: reading,
    run: (_input, sandbox) => sandbox.ask({ path: '/clock' }),
  }),
  tool({
    name: 'move_clock',
    title: 'Move the clock',
    description:
      'Moves the clock of the sandbox, to test expiry without waiting. Give one of advance, set, beforeNextExpiry and reset, or freeze. Moving it ends what expires meanwhile.',
    effect: 'replaces',
    input: v.strictObject({
      advance: optional(v.string(), 'A duration: 90s, 5m, 8h, 1d; -5m moves it back'),
      set: optional(v.number(), 'Unix seconds'),
      beforeNextExpiry: optional(v.string(), 'A duration before the next valid code, token or sign-in expires'),
      reset: optional(v.literal(true), 'Returns to the real time'),
      freeze: optional(v.boolean(), 'true freezes the clock, false lets it run'),
    }),
    output: reading,
    run: (body, sandbox) => sandbox.ask({ method: 'POST', path: '/clock', body }),
  }),
  tool({
    name: 'reset_sandbox',
    title: 'Reset the sandbox',
    description:
      'Resets the issuer to its start, or one part of it. Tokens, sign-ins, changes and the history are lost, which cannot be undone.',
    effect: 'replaces',
    isRepeatable: true,
    input: v.strictObject({ part: optional(v.picklist(resetParts), 'Default: everything except the keys') }),
    output: v.object({ reset: v.string() }),
    run: (body, sandbox) => sandbox.ask({ method: 'POST', path: '/reset', body }),
  }),
];

async function describe(sandbox: SandboxCalls): Promise<object> {
  const [metadata, clients, users, settings, armed, clock] = await Promise.all([
    sandbox.text('/.well-known/openid-configuration'),
    sandbox.ask({ path: '/clients' }),
    sandbox.ask({ path: '/users' }),
    sandbox.ask({ path: '/settings' }),
    sandbox.ask({ path: '/faults' }),
    sandbox.ask({ path: '/clock' }),
  ]);
  const { issuer, ...facts } = recordIn(metadata ?? '') ?? {};
  const isAddress = ([name, value]: readonly [string, unknown]) =>
    /_(endpoint|uri)$/.test(name) && typeof value === 'string';
  return {
    issuer,
    dashboard: `${sandbox.base}/dashboard`,
    endpoints: Object.fromEntries(Object.entries(facts).filter(isAddress)),
    clients: listIn(clients, 'clients').map(each => each.client_id),
    users: listIn(users, 'users').map(each => each.sub),
    settings: listIn(settings, 'settings').filter(({ from }) => from !== 'default'),
    faults: listIn(armed, 'faults'),
    clock,
  };
}

const armed = v.looseObject({
  id: v.string(),
  fault: v.string(),
  endpoint: v.string(),
  met: described(v.number(), 'Number of requests that it has affected'),
});
const kind = v.looseObject({
  name: v.string(),
  title: v.string(),
  about: v.string(),
  endpoint: text('Default endpoint'),
});

/** Errors on purpose. */
export const faultTools = [
  tool({
    name: 'list_faults',
    title: 'List faults',
    description: 'Lists armed faults, and the catalogue of faults that can be armed.',
    effect: 'reads',
    input: v.strictObject({}),
    output: v.object({ armed: v.array(armed), catalogue: v.array(kind) }),
    async run(_input, sandbox) {
      const [now, all] = await Promise.all([
        sandbox.ask({ path: '/faults' }),
        sandbox.ask({ path: '/faults/catalogue' }),
      ]);
      return { armed: listIn(now, 'faults'), catalogue: listIn(all, 'faults') };
    },
  }),
  tool({
    name: 'arm_fault',
    title: 'Arm a fault',
    description:
      'Makes the next request, or several, fail on purpose, to test how an app reacts. list_faults has the names and their parameters.',
    effect: 'adds',
    input: v.strictObject({
      fault: described(v.string(), 'A name of the catalogue: slow, unavailable, token_error, expired, …'),
      endpoint: optional(v.string(), '`token`, `jwks`, `api`, …, or `any`'),
      client: optional(v.string(), 'Only requests of this client'),
      user: optional(v.string(), 'Only requests for this user'),
      times: optional(v.union([v.number(), v.literal('always')]), 'Number of requests. Default: 1'),
      for: optional(v.string(), 'Real time after which it ends: 30s, 5m'),
      seconds: optional(v.number(), 'Delay, or Retry-After'),
      error: optional(v.string(), 'The error code of the response'),
      member: optional(v.string(), 'The member or claim to remove'),
      status: optional(v.number(), 'The HTTP status, 400 to 599'),
      token: optional(v.picklist(['access', 'id', 'logout', 'response', 'both']), 'The token to change'),
    }),
    output: armed,
    run: (body, sandbox) => sandbox.ask({ method: 'POST', path: '/faults', body }),
  }),
  tool({
    name: 'disarm_faults',
    title: 'Disarm faults',
    description: 'Disarms one fault, or all of them.',
    effect: 'replaces',
    isRepeatable: true,
    input: v.strictObject({ id: optional(v.string(), 'The id of a fault. Default: all') }),
    output: v.object({ disarmed: v.number() }),
    run({ id }, sandbox) {
      const path = id === undefined ? '/faults' : `/faults/${encodeURIComponent(id)}`;
      return sandbox.ask({ method: 'DELETE', path });
    },
  }),
];
