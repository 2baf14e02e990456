import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { decodeJwt } from '../../../base/text/jwt.ts';
import type { ApiModule, ApiStage } from './api-module.ts';

/** The key pair of an attacker, made once for each algorithm. */
interface ForeignKey {
  readonly own: JWK;
  readonly published: JWK;
}

const keys = new Map<string, Promise<ForeignKey>>();

function foreignKey(alg: string): Promise<ForeignKey> {
  const made = keys.get(alg) ?? makeKey(alg);
  keys.set(alg, made);
  return made;
}

async function makeKey(alg: string): Promise<ForeignKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const kid = 'key-of-a-stranger';
  return {
    own: await exportJWK(privateKey),
    published: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
  };
}

/** A token like the good one, signed by a stranger who says in its header where the key is. */
async function forged({ issuer }: ApiStage, where: Readonly<Record<string, unknown>>): Promise<string> {
  const { header = {}, claims = {} } = decodeJwt(await issuer.mint()) ?? {};
  const { alg } = issuer.wanted;
  const { own, published } = await foreignKey(alg);
  return new SignJWT(claims)
    .setProtectedHeader({ ...header, alg, kid: published.kid ?? '', ...where })
    .sign(await importJWK(own, alg));
}

const gain =
  'Anybody signs a token with a key of their own, names that key in the token, and calls the API as any user.';
const right = 'Takes keys from the JWK Set of its issuer alone, whatever the token says.';

/** Tokens that bring their own key. */
export const forgedModules: readonly ApiModule[] = [
  {
    id: 'jwk',
    title: 'A token of a stranger, with the key in its header (jwk)',
    references: ['RFC 7515 §4.1.3', 'RFC 8725 §3.10'],
    gain,
    right,
    expects: 'refuse',
    async run(stage) {
      const { published } = await foreignKey(stage.issuer.wanted.alg);
      return stage.call(stage.issuer.callWith(await forged(stage, { jwk: published })));
    },
    mend: ({ jwksUri }) => `Take keys from ${jwksUri} alone: jose createRemoteJWKSet, and not EmbeddedJWK`,
  },
  {
    id: 'jku',
    title: 'A token of a stranger, with the address of the keys in its header (jku)',
    references: ['RFC 7515 §4.1.2', 'RFC 8725 §3.10'],
    gain,
    right,
    expects: 'refuse',
    async run(stage) {
      const { published } = await foreignKey(stage.issuer.wanted.alg);
      const elsewhere = await stage.issuer.publishElsewhere(published);
      if (elsewhere === undefined)
        return {
          verdict: 'not_applicable',
          why: 'Only the first issuer of a sandbox can make another one for the keys.',
        };
      try {
        return await stage.call(stage.issuer.callWith(await forged(stage, { jku: elsewhere.jwksUri })));
      } finally {
        await elsewhere.stop();
      }
    },
    mend: ({ jwksUri }) => `Take keys from ${jwksUri} alone, and never from an address that a token names`,
  },
];
