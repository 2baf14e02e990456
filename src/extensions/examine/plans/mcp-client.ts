import { decodeJwt } from '../../../base/text/jwt.ts';
import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { ExamModule, ExamPlan, Judged } from '../exam-module.ts';
import { notMet } from '../judge.ts';
import { authorizations, type McpSeen, mcpModule, mustConnect, mustStop } from '../mcp/mcp-module.ts';
import { falseMetadataModules, placeModules, registrationModules } from './mcp-discovery.ts';
import { offlineModules, scopeModules } from './mcp-scopes.ts';

const noMetadata = 'The app did not ask for the metadata.';
const noStart = 'The app sent no authorization request.';
const mixedUp = 'A second authorization server, which an attacker runs, gets the code of the first one (mix-up).';
const givesAll = 'Give the SDK all parameters of the authorization response (finishAuth with the query).';
const promised = { authorization_response_iss_parameter_supported: true };

type Issuer = Pick<ExamModule, 'id' | 'title' | 'right'> &
  Pick<Parameters<typeof mcpModule>[0], 'metadata' | 'response'>;

function issModule(isRefused: boolean, words: Issuer): ExamModule {
  return mcpModule({
    ...words,
    references: ['RFC 9207 §2.4', 'MCP SEP-2468'],
    gain: isRefused ? mixedUp : 'People cannot connect to an authorization server that does it right.',
    mend: givesAll,
    judge: seen =>
      isRefused ? mustStop(seen, { met: authorizations(seen), never: seen.at('token') }) : mustConnect(seen),
  });
}

const issModules: readonly ExamModule[] = [
  issModule(false, {
    id: 'iss-supported',
    title: 'The authorization response names its issuer, as the metadata promises',
    right: 'Compares iss, and connects.',
    metadata: promised,
  }),
  issModule(false, {
    id: 'iss-not-advertised',
    title: 'The authorization response names no issuer, and the metadata promises none',
    right: 'Connects.',
    response: { iss: null },
  }),
  issModule(true, {
    id: 'iss-supported-missing',
    title: 'The authorization response names no issuer, although the metadata promises it',
    right: 'Requires iss where authorization_response_iss_parameter_supported is true, and redeems no code.',
    metadata: promised,
    response: { iss: null },
  }),
  issModule(true, {
    id: 'iss-wrong-issuer',
    title: 'The authorization response is of another issuer',
    right: 'Compares iss with the issuer of the metadata, and redeems no code.',
    metadata: promised,
    response: { iss: 'https://attacker.example' },
  }),
  issModule(true, {
    id: 'iss-unexpected',
    title: 'The authorization response is of another issuer, and the metadata does not promise iss',
    right: 'Compares iss wherever it is, and redeems no code.',
    response: { iss: 'https://attacker.example' },
  }),
  issModule(true, {
    id: 'iss-normalized',
    title: 'The issuer of the authorization response has one more slash',
    right: 'Compares iss character by character, and redeems no code.',
    metadata: promised,
    response: ({ issuer }) => ({ iss: `${issuer}/` }),
  }),
];

/** Rules of MCP for which the kit has no scenario of their own. */
const requestModules: readonly ExamModule[] = [
  mcpModule({
    id: 'pkce-not-advertised',
    isOfKit: false,
    title: 'The metadata does not promise PKCE',
    references: ['MCP Authorization, Authorization Code Protection', 'RFC 9700 §2.1.1'],
    gain: 'Somebody who reads the code on its way (a log, another app, a proxy) gets the tokens.',
    right: 'Requires code_challenge_methods_supported with S256, and stops.',
    mend: 'Check code_challenge_methods_supported before the authorization request.',
    metadata: { code_challenge_methods_supported: null },
    judge: seen => mustStop(seen, { met: seen.at('discovery'), never: authorizations(seen), absent: noMetadata }),
  }),
  mcpModule({
    id: 'resource-parameter',
    isOfKit: false,
    title: 'Each request names the MCP server that the token is for',
    references: ['RFC 8707 §2', 'MCP Authorization, Resource Parameter Implementation'],
    gain: 'An MCP server gets a token that is good at other servers, too, and calls them with it.',
    right: 'Sends the same resource with the authorization request and the token request.',
    mend: 'Give the SDK the address of the MCP server (serverUrl), and keep the resource that it chose.',
    judge(seen) {
      const both = [...authorizations(seen), ...seen.at('token')];
      const resource = both[0]?.value('resource');
      const wrong = both.filter(request => resource === undefined || request.value('resource') !== resource);
      if (both.length === 0) return notMet(seen, noStart);
      if (wrong.length === 0) return { verdict: 'pass', why: 'Each request named the MCP server.', requests: both };
      return { verdict: 'fail', why: 'The app did not name the MCP server in resource.', requests: wrong };
    },
  }),
];

const machine = 'conformance-test-client';
const noMachine = 'The app did not ask for a token of its own (client_credentials).';
const isOfMachine = (request: RecordedRequest) => request.value('grant_type') === 'client_credentials';

function judgeMachine(seen: McpSeen, isProven: (request: RecordedRequest) => boolean, why: string): Judged {
  const requests = seen.at('token').filter(isOfMachine);
  if (requests.length === 0) return notMet(seen, noMachine);
  const wrong = requests.filter(request => !isProven(request));
  if (wrong.length > 0) return { verdict: 'fail', why, requests: wrong };
  const connected = mustConnect(seen);
  return connected.verdict === 'pass' ? { ...connected, requests } : connected;
}

/** Apps that act for nobody (MCP SEP-1046). */
const machineModules: readonly ExamModule[] = [
  mcpModule({
    id: 'client-credentials-jwt',
    title: 'The app acts for itself, and has a key',
    references: ['RFC 7523 §3', 'draft-ietf-oauth-rfc7523bis §4', 'MCP SEP-1046'],
    gain: 'Another authorization server gets an assertion that is good here.',
    right: 'Signs an assertion whose only aud is the issuer.',
    mend: 'Use PrivateKeyJwtProvider of the SDK.',
    metadata: {
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      grant_types_supported: ['client_credentials'],
    },
    async client() {
      const { exportJWK, exportPKCS8, generateKeyPair } = await import('jose');
      const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
      const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] };
      const method = { token_endpoint_auth_method: 'private_key_jwt', jwks } as const;
      return {
        entry: { client_id: machine, grant_types: ['client_credentials'], ...method },
        told: { client_id: machine, private_key_pem: await exportPKCS8(privateKey), signing_algorithm: 'ES256' },
      };
    },
    judge: seen =>
      judgeMachine(
        seen,
        request => {
          const aud = decodeJwt(request.value('client_assertion') ?? '')?.claims.aud;
          return typeof aud === 'string' && aud === seen.at('discovery')[0]?.answer.issuer;
        },
        'The app sent no assertion for the issuer alone.',
      ),
  }),
  mcpModule({
    id: 'client-credentials-basic',
    title: 'The app acts for itself, and has a secret',
    references: ['RFC 6749 §4.4', 'RFC 6749 §2.3.1', 'MCP SEP-1046'],
    gain: 'A secret in the body is in more logs than one in a header.',
    right: 'Sends its secret by client_secret_basic, as the metadata says.',
    mend: 'Use ClientCredentialsProvider of the SDK.',
    metadata: {
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      grant_types_supported: ['client_credentials'],
    },
    async client() {
      const told = { client_id: machine, client_secret: 'conformance-test-secret' };
      return { told, entry: { ...told, grant_types: ['client_credentials'] } };
    },
    judge: seen =>
      judgeMachine(
        seen,
        request => request.header('authorization')?.startsWith('Basic ') === true,
        'The app did not authenticate by client_secret_basic.',
      ),
  }),
];

const noProof = 'The app does not use DPoP.';
const bound = { dpop_signing_alg_values_supported: ['ES256'], dpop_bound_access_tokens_required: true };
const boundTokens = { scheme: 'DPoP' };
const nonce = 'nonce-of-the-examiner';
const nonceOf = (proof: string | undefined) => decodeJwt(proof ?? '')?.claims.nonce;

function judgeProofs(seen: McpSeen): Judged {
  const proven = seen.at('token').filter(request => request.header('dpop') !== undefined);
  if (proven.length === 0) return notMet(seen, noProof);
  const calls = seen.calls.filter(({ token }) => token !== undefined);
  const ids = calls.map(({ proof }) => decodeJwt(proof ?? '')?.claims.jti);
  const wrong = calls.filter(
    ({ scheme }, index) =>
      scheme?.toLowerCase() !== 'dpop' || ids[index] === undefined || ids.indexOf(ids[index]) < index,
  );
  if (wrong.length > 0)
    return { verdict: 'fail', why: 'The app sent its token without a proof of its own.', requests: [], calls: wrong };
  return mustConnect(seen);
}

function judgeNonces(seen: McpSeen): Judged {
  const asked = seen.elsewhere.filter(({ event }) => event.endpoint === 'token');
  const proven = asked.filter(request => request.header('dpop') !== undefined);
  if (proven.length === 0) return notMet(seen, noProof);
  if (!proven.some(({ event }) => event.status === 200))
    return { verdict: 'fail', why: 'The app did not repeat the token request with the nonce.', requests: proven };
  const calls = seen.calls.filter(({ token }) => token !== undefined);
  if (!calls.some(({ proof }) => nonceOf(proof) === nonce))
    return { verdict: 'fail', why: 'The app did not repeat the call with the nonce.', requests: [], calls };
  return { verdict: 'pass', why: 'The app repeated its requests with the nonce.', requests: proven };
}

/** Tokens that only their owner can use (MCP SEP-1932). */
const proofModules: readonly ExamModule[] = [
  mcpModule({
    id: 'dpop',
    title: 'The MCP server takes tokens that are bound to a key',
    references: ['RFC 9449 §5', 'RFC 9449 §7.1', 'MCP SEP-1932'],
    gain: 'Somebody who steals a token can use it.',
    right: 'Sends each call with the scheme DPoP and a proof of its own.',
    mend: 'Give the SDK a key for DPoP, and let it make a proof for each request.',
    metadata: { dpop_signing_alg_values_supported: bound.dpop_signing_alg_values_supported },
    rules: ({ origin, issuer }) => ({
      ...boundTokens,
      metadata: () => ({ resource: `${origin}/mcp`, authorization_servers: [issuer], ...bound }),
    }),
    judge: judgeProofs,
  }),
  mcpModule({
    id: 'dpop-nonce',
    title: 'Both servers ask for a nonce in the proof',
    references: ['RFC 9449 §8', 'RFC 9449 §9', 'MCP SEP-1932'],
    gain: 'People cannot connect to servers that protect themselves against proofs made in advance.',
    right: 'Repeats the request with the nonce of DPoP-Nonce.',
    mend: 'Let the SDK repeat a request that was answered with use_dpop_nonce.',
    second: {
      config: { dpopNonce: true },
      metadata: { dpop_signing_alg_values_supported: bound.dpop_signing_alg_values_supported },
    },
    rules: ({ origin, second }) => ({
      ...boundTokens,
      metadata: () => ({ resource: `${origin}/mcp`, authorization_servers: [second], ...bound }),
      refuse: ({ proof }) =>
        nonceOf(proof) === nonce
          ? undefined
          : { status: 401, challenge: { error: 'use_dpop_nonce' }, headers: { 'DPoP-Nonce': nonce } },
    }),
    judge: judgeNonces,
  }),
];

/** MCP clients, by the names of MCP's conformance kit. */
export const mcpClient: ExamPlan = {
  id: 'mcp-client',
  title: 'MCP client',
  about: 'For each client of the Model Context Protocol that connects to servers with a sign-in.',
  modules: [
    mcpModule({
      id: 'test',
      isOfKit: false,
      title: 'Nothing is wrong',
      references: ['MCP Authorization', 'RFC 9728 §5'],
      gain: 'Nothing else can be examined as long as the app cannot connect.',
      right: 'Connects, lists the tools and calls one.',
      mend: 'Connect to the address in GRANTBOX_MCP_URL.',
      judge: seen => mustConnect(seen),
    }),
    ...placeModules,
    ...falseMetadataModules,
    ...registrationModules,
    ...scopeModules,
    ...offlineModules,
    ...issModules,
    ...requestModules,
    ...machineModules,
    ...proofModules,
  ],
};
