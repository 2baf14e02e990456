import * as v from 'valibot';
import { defined } from '../../../../base/defined.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import type { Control } from '../../create-control.ts';
import { described, optional } from '../../described.ts';
import { operation } from '../operation.ts';

const keys = v.object({
  keys: v.array(
    v.object({
      kid: v.string(),
      alg: v.string(),
      signing: described(v.boolean(), 'True if the key signs now'),
      published: described(v.boolean(), 'True if the key is in the JWK Set'),
      published_until: optional(v.number(), 'Unix seconds; absent if no end is planned'),
      jwk: described(v.record(v.string(), v.unknown()), 'The public key'),
    }),
  ),
});
const answers = { 200: { description: 'The public keys after the change', schema: keys } };

/** Signing keys. */
export const keyOperations = [
  operation({
    name: 'listKeys',
    method: 'GET',
    path: '/keys',
    answers,
    summary: 'List signing keys: active keys first, then replaced keys, newest first',
    run: async (_input, { control }) => jsonAnswer(200, await keysOf(control)),
  }),
  operation({
    name: 'rotateKeys',
    method: 'POST',
    path: '/keys/rotate',
    changes: true,
    answers,
    summary: 'Rotate: make a new key for each algorithm in use, which signs from now on',
    body: v.strictObject({
      unpublish: optional(v.boolean(), 'Remove the old keys from the JWK Set now, as after a leak'),
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
    changes: true,
    answers,
    summary: 'Remove all inactive keys from the JWK Set: their signatures can no longer be verified',
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
