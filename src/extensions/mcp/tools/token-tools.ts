import * as v from 'valibot';
import { described, optional } from '../../../sandbox/control/described.ts';
import { expectedToken } from '../../../sandbox/control/expected-token.ts';
import { maskedEvent, maskedToken } from '../masked.ts';
import { count, listIn, members, moment, pathWith, text, tool } from '../tool.ts';

const token = v.looseObject({
  tokenId: text('`tok_…`'),
  tokenType: text('`code`, `access`, `refresh` or `id`'),
  status: text('`valid`, `expired`, `revoked`, `replaced` (a rotated refresh token) or `used` (a redeemed code)'),
  client_id: v.string(),
  sub: v.optional(v.string()),
  scope: v.optional(v.string()),
  exp: moment('The expiry'),
});

/** Codes and tokens. */
export const tokenTools = [
  tool({
    name: 'list_tokens',
    title: 'List tokens',
    description:
      'Lists issued codes and tokens, newest first, with their status. Signatures and opaque values are left out.',
    effect: 'reads',
    input: v.strictObject({
      q: optional(v.string(), 'A search: `client:frontend user:alice claim.roles:admin grant:refresh_token age:<5m`'),
      limit: count(100),
    }),
    output: v.object({ tokens: v.array(token) }),
    async run({ q, limit = 20 }, sandbox) {
      const found = listIn(await sandbox.ask({ path: pathWith('/tokens', { q, limit }) }), 'tokens');
      return { tokens: found.map(maskedToken) };
    },
  }),
  tool({
    name: 'read_token',
    title: 'Read a token',
    description:
      'Reads one issued token: its claims, its status, and where it was used, introspected or refused. `error.returned` events say why it was refused.',
    effect: 'reads',
    input: v.strictObject({ tokenId: described(v.string(), '`tok_…`') }),
    output: v.looseObject({ ...token.entries, claims: v.optional(members), events: v.array(v.looseObject({})) }),
    async run({ tokenId }, sandbox) {
      const found = await sandbox.ask({ path: `/tokens/${encodeURIComponent(tokenId)}` });
      const path = pathWith('/events', { q: `token:${JSON.stringify(tokenId)}`, limit: 100 });
      const events = listIn(await sandbox.ask({ path }), 'events');
      return { ...maskedToken(found), events: events.map(maskedEvent) };
    },
  }),
  tool({
    name: 'decode_token',
    title: 'Decode a token',
    description:
      'Decodes any token, verifies its signature with the keys of the sandbox, and says why the sandbox would not accept it or did refuse it.',
    effect: 'reads',
    input: v.strictObject({
      token: described(v.string(), 'A JWT, or an opaque token of this sandbox'),
      expected: expectedToken,
    }),
    output: v.looseObject({
      format: text('`jwt`, `encrypted` or `opaque`'),
      header: v.optional(members),
      claims: v.optional(members),
      signature: optional(v.looseObject({ ok: v.boolean() }), 'Whether a key of this sandbox signed it, and why not'),
      issued: optional(
        v.looseObject({ tokenId: v.string(), status: v.string() }),
        'Absent if the history does not have it',
      ),
      faults: described(v.array(v.string()), 'Why it is not accepted now; empty if nothing is wrong'),
      refusals: described(v.array(v.looseObject({})), 'Requests that were refused because of it'),
    }),
    run: (body, sandbox) => sandbox.ask({ method: 'POST', path: '/tokens/inspect', body }),
  }),
  tool({
    name: 'mint_token',
    title: 'Mint a token',
    description:
      'Mints a token without a sign-in, for any client and user: valid, short-lived or deliberately broken. The result contains the token itself. Tests of an API use it.',
    effect: 'adds',
    input: v.looseObject({
      client: described(v.string(), 'The client_id'),
      user: optional(v.string(), 'The sub, username or e-mail address. Default: none, the client acts for itself'),
      type: optional(v.picklist(['access', 'id', 'refresh']), 'Default: access'),
      scope: optional(v.string(), 'Space-separated. Default: all scopes of the client'),
      audience: optional(v.string(), 'The aud claim'),
      claims: optional(members, 'Claims to add or replace; null removes a claim'),
      lifetime: optional(v.number(), 'Seconds until it expires; negative for an expired token'),
      defect: optional(v.string(), 'A deliberate defect, such as expired, bad_signature or wrong_audience'),
    }),
    output: v.looseObject({ token: v.string(), type: v.string(), tokenId: v.string(), claims: v.optional(members) }),
    run: (body, sandbox) => sandbox.ask({ method: 'POST', path: '/tokens', body }),
  }),
];
