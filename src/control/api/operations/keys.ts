import * as v from 'valibot';
import { defined } from '../../../defined.ts';
import { jsonAnswer } from '../../../http/answer.ts';
import type { Control } from '../../control.ts';
import { described, optional } from '../../described.ts';
import { operation } from '../operation.ts';

const keys = v.object({
  keys: v.array(
    v.object({
      kid: v.string(),
      alg: v.string(),
      signing: described(v.boolean(), 'Whether it signs now'),
      published: described(v.boolean(), 'Whether it is in the JWK Set'),
      published_until: optional(v.number(), 'Unix seconds; absent for what is not to end'),
      jwk: described(v.record(v.string(), v.unknown()), 'The public key'),
    }),
  ),
});
const answers = { 200: { description: 'The keys as they are now; nothing of them is private', schema: keys } };

/** Signing keys. */
export const keyOperations = [
  operation({
    name: 'listKeys',
    method: 'GET',
    path: '/keys',
    answers,
    summary: 'List signing keys: those that sign first, then what was replaced, the latest first',
    run: async (_input, { control }) => jsonAnswer(200, await keysOf(control)),
  }),
  operation({
    name: 'rotateKeys',
    method: 'POST',
    path: '/keys/rotate',
    answers,
    summary: 'Make a new key for each algorithm: it signs at once',
    body: v.strictObject({
      unpublish: optional(v.boolean(), 'Takes the old keys out of the JWK Set at once, as after a leak'),
    }),
    async run({ body: { unpublish = false } }, { control }) {
      await control.rotateKeys({ unpublish, by: 'api' });
      return jsonAnswer(200, await keysOf(control));
    },
  }),
  operation({
    name: 'unpublishKeys',
    method: 'POST',
    path: '/keys/unpublish',
    answers,
    summary: 'Take every key that does not sign out of the JWK Set: what it signed cannot be verified any more',
    async run(_input, { control }) {
      await control.unpublishKeys('api');
      return jsonAnswer(200, await keysOf(control));
    },
  }),
];

async function keysOf(control: Control): Promise<object> {
  const all = await control.keys();
  return {
    keys: all.map(({ kid, alg, isSigning, isPublished, publishedUntil, publicJwk }) => ({
      kid,
      alg,
      signing: isSigning,
      published: isPublished,
      ...defined({ published_until: publishedUntil }),
      jwk: publicJwk,
    })),
  };
}
