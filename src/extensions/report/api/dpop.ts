import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { lazily } from '../../../base/lazily.ts';
import { type ApiAnswer, isLetIn } from './api-call.ts';
import type { ApiModule, ApiStage } from './api-module.ts';

const [appKey, otherKey] = [0, 1].map(() => lazily(() => generateKeyPair('ES256'))) as [ProofKey, ProofKey]; // two are made

type ProofKey = ReturnType<typeof lazily<Awaited<ReturnType<typeof generateKeyPair>>>>;

/** The differences from a right call. */
interface Different {
  readonly key?: ProofKey;
  /** Claims of the proof. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Seconds that are added to the time of the proof. */
  readonly seconds?: number;
  /** The header `DPoP` itself; null leaves it out. */
  readonly proof?: string | null;
  readonly scheme?: 'Bearer';
}

/** A DPoP proof for GET at the API (RFC 9449 §4.2). */
async function proofOf({ url }: ApiStage, token: string, { key = appKey, claims, seconds = 0 }: Different) {
  const { publicKey, privateKey } = await key.get();
  const usual = { htm: 'GET', htu: url.origin + url.pathname, jti: randomUUID(), ath: sha256(token) };
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: await exportJWK(publicKey) })
    .setIssuedAt(Math.floor(Date.now() / 1000) + seconds)
    .sign(privateKey);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

/** A token that is bound to the key of the app (RFC 9449 §6.1). */
async function boundToken({ issuer }: ApiStage): Promise<string> {
  const jkt = await calculateJwkThumbprint(await exportJWK((await appKey.get()).publicKey));
  return issuer.mint({ claims: { cnf: { jkt } } });
}

/** Calls the API with a bound token, and again if it wants a nonce in the proof (RFC 9449 §9). */
async function calledWith(stage: ApiStage, different: Different = {}): Promise<ApiAnswer> {
  const token = await boundToken(stage);
  const send = async (claims?: Different['claims']) => {
    const proof =
      different.proof === undefined
        ? await proofOf(stage, token, { ...different, ...withClaims(different, claims) })
        : different.proof;
    return stage.call(stage.issuer.callWith(token, different.scheme ?? 'DPoP', proof === null ? {} : { DPoP: proof }));
  };
  const answer = await send();
  return wantsNonce(answer) && different.proof === undefined ? send({ nonce: answer.nonce }) : answer;
}

const withClaims = ({ claims }: Different, more: Different['claims']) => ({ claims: { ...claims, ...more } });

function wantsNonce({ challenge = '', nonce }: ApiAnswer): boolean {
  return nonce !== undefined && challenge.includes('use_dpop_nonce');
}

/** How an API treats a bound token with its right proof. */
type Use = 'none' | 'takes' | 'refuses';

const knowing = new WeakMap<ApiStage['issuer'], Promise<Use>>();

/** Whether an API uses DPoP: its challenges name it, or it takes a right proof and refuses a text that is none. */
function useOf(stage: ApiStage): Promise<Use> {
  const known = knowing.get(stage.issuer) ?? findOut(stage);
  knowing.set(stage.issuer, known);
  return known;
}

async function findOut(stage: ApiStage): Promise<Use> {
  const right = await calledWith(stage);
  const asked = [right, await stage.call(stage.issuer.callWith(undefined))];
  const isNamed = asked.some(({ challenge = '' }) => /(^|[\s,])DPoP(\s|,|$)/i.test(challenge));
  if (!isLetIn(right)) return isNamed ? 'refuses' : 'none';
  return isNamed || !isLetIn(await calledWith(stage, { proof: 'not-a-proof' })) ? 'takes' : 'none';
}

const unused = {
  verdict: 'not_applicable',
  why: 'The API does not use DPoP: no challenge names it, and no proof makes a difference.',
} as const;

const untold = {
  verdict: 'inconclusive',
  why: 'The API refuses the right proof, too, so its refusal of a wrong one says nothing.',
} as const;

type DpopWords = Pick<ApiModule, 'id' | 'title' | 'references' | 'gain' | 'right'> &
  Partial<Pick<ApiModule, 'otherwise'>>;

/** A call that an API with DPoP refuses. */
function refused(
  words: DpopWords,
  check: string,
  call: Different | ((stage: ApiStage) => Promise<ApiAnswer>),
): ApiModule {
  return {
    ...words,
    expects: 'refuse proof',
    async run(stage) {
      const use = await useOf(stage);
      if (use !== 'takes') return use === 'none' ? unused : untold;
      return typeof call === 'function' ? call(stage) : calledWith(stage, call);
    },
    mend: () => `Let the library check the whole proof (RFC 9449 §4.3): ${check}`,
  };
}

const stolen = 'Somebody who has read a token in a log calls the API with it, although it is bound to a key.';
const seen = 'Somebody who has seen a token with its proof calls the API with both.';

/** Tokens that are bound to a key of the app. */
export const dpopModules: readonly ApiModule[] = [
  {
    id: 'dpop',
    title: 'A token bound to a key, with the proof of that key',
    references: ['RFC 9449 §7.1'],
    gain: 'Apps that use DPoP cannot call the API.',
    right: 'Checks the proof and accepts it.',
    expects: 'accept',
    run: async stage => ((await useOf(stage)) === 'none' ? unused : calledWith(stage)),
    mend: () => 'Compare cnf.jkt with the SHA-256 thumbprint of the key in the proof (RFC 7638)',
  },
  {
    id: 'dpop-as-bearer',
    title: 'A token bound to a key, sent as a Bearer token without a proof',
    references: ['RFC 9449 §7.1', 'RFC 9449 §7.2'],
    gain: stolen,
    right: 'Refuses a token with cnf.jkt that comes without its proof.',
    expects: 'refuse proof',
    async run(stage) {
      const answer = await calledWith(stage, { scheme: 'Bearer', proof: null });
      if (!isLetIn(answer) || (await useOf(stage)) !== 'none') return answer;
      // RFC 9449 §7.2: an API that has never heard of DPoP takes it as any Bearer token
      const why = 'The API does not use DPoP, and takes a token that is bound to a key as a Bearer token.';
      return { verdict: 'warn', why };
    },
    mend: () =>
      'Refuse a token with cnf unless the proof that it asks for was checked, or let no app get such tokens for this API',
  },
  refused(
    {
      id: 'dpop-no-proof',
      title: 'A token bound to a key, without a proof',
      references: ['RFC 9449 §4.3', 'RFC 9449 §7.1'],
      gain: stolen,
      right: 'Asks for exactly one header DPoP.',
    },
    'the header DPoP must be there',
    { proof: null },
  ),
  refused(
    {
      id: 'dpop-other-key',
      title: 'A token bound to a key, with the proof of another key',
      references: ['RFC 9449 §7.1'],
      gain: stolen,
      right: 'Compares the key of the proof with cnf.jkt of the token.',
    },
    'cnf.jkt is the thumbprint of the key in the proof',
    { key: otherKey },
  ),
  refused(
    {
      id: 'dpop-other-token',
      title: 'A proof that was made for another token',
      references: ['RFC 9449 §4.3'],
      gain: 'Somebody who has one proof of an app uses it with each token of that app.',
      right: 'Compares ath of the proof with the hash of the token.',
    },
    'ath is the SHA-256 hash of the token',
    { claims: { ath: sha256('another token') } },
  ),
  refused(
    {
      id: 'dpop-htu',
      title: 'A proof that was made for another address',
      references: ['RFC 9449 §4.3'],
      gain: 'Another API that got the call uses its proof here.',
      right: 'Compares htu of the proof with its own address.',
    },
    'htu is the address of the request',
    { claims: { htu: 'https://another-api.example/bikes' } },
  ),
  refused(
    {
      id: 'dpop-htm',
      title: 'A proof that was made for another method',
      references: ['RFC 9449 §4.3'],
      gain: 'The proof of a call that reads is used for one that deletes.',
      right: 'Compares htm of the proof with the method of the request.',
    },
    'htm is the method of the request',
    { claims: { htm: 'DELETE' } },
  ),
  refused(
    {
      id: 'dpop-old',
      title: 'A proof that is an hour old',
      references: ['RFC 9449 §4.3', 'RFC 9449 §11.1'],
      gain: seen,
      right: 'Accepts a proof for some minutes at most.',
    },
    'iat is at most some minutes ago',
    { seconds: -3600 },
  ),
  refused(
    {
      id: 'dpop-replayed',
      title: 'A proof that was used before',
      references: ['RFC 9449 §11.1'],
      gain: seen,
      right: 'Remembers the jti of each proof for as long as it accepts the proof.',
      otherwise: 'warn', // RFC 9449 §11.1 lets an API do without
    },
    'jti is new',
    replayed,
  ),
];

/** The same token and proof twice. */
async function replayed(stage: ApiStage): Promise<ApiAnswer> {
  const token = await boundToken(stage);
  const send = async (proof: string) => stage.call(stage.issuer.callWith(token, 'DPoP', { DPoP: proof }));
  let proof = await proofOf(stage, token, {});
  const first = await send(proof);
  if (wantsNonce(first)) {
    proof = await proofOf(stage, token, { claims: { nonce: first.nonce } });
    await send(proof);
  }
  return send(proof);
}
