import { clientOf } from '../../dashboard/claims/like-token.ts';
import type { ClientEntry, GrantType } from '../../sandbox/config/sandbox-config.ts';
import { signingAlgs } from '../../sandbox/config/settings/signing-algs.ts';
import type { Notes } from '../import/notes.ts';
import { keptUris } from '../import/redirect-uris.ts';
import { type SampleClient, type SampleMembers, type SampleReading, type TokenKind, tokenKinds } from './samples.ts';

/** The grants of a client that a recording can show. */
const grants: readonly GrantType[] = [
  'authorization_code',
  'client_credentials',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
  'password',
];

/** The name of the client where no sample has one. */
export const namelessClient = 'app';

/** Clients by the recorded login, and by the tokens. */
export function draftClients(reading: SampleReading, notes: Notes): readonly ClientEntry[] {
  const { samples, clients } = reading;
  const known = new Set(clients.map(({ client_id }) => client_id));
  const named = tokenKinds.flatMap(kind => {
    const token = samples.tokens[kind];
    const id = token === undefined ? undefined : clientOf(token, kind);
    return id === undefined || known.has(id) ? [] : [[id, kind] as const];
  });
  const byTokens = [...new Map(named.toReversed())].map(([id, kind]) => ofTokens(id, kind));
  const all = [...clients, ...byTokens];
  return (all.length === 0 ? [ofTokens(namelessClient, 'id_token')] : all).map((client, index) =>
    entryOf(client, index, reading, notes),
  );
}

function ofTokens(client_id: string, kind: TokenKind): SampleClient {
  const isService = kind === 'client_token';
  return {
    client_id,
    redirect_uris: [],
    post_logout_redirect_uris: [],
    grant_types: isService ? ['client_credentials'] : ['authorization_code'],
    scope: '',
    auth: isService ? 'basic' : 'none',
  };
}

function entryOf(client: SampleClient, index: number, { samples }: SampleReading, notes: Notes): ClientEntry {
  const { client_id, auth } = client;
  const uris = (member: 'redirect_uris' | 'post_logout_redirect_uris') =>
    keptUris(client[member].map((value, at) => ({ path: ['clients', index, member, at], notes, value })));
  const [login, logout] = [uris('redirect_uris'), uris('post_logout_redirect_uris')];
  const types = grantsOf(client, samples.answer);
  const isLogin = types.includes('authorization_code');
  if (auth === 'key')
    notes.tell(['clients', index], 'its private key is not in the recording: the client has a secret in place of it');
  if (auth === 'unknown')
    notes.tell(
      ['clients', index],
      'its request for tokens is not in the recording: it has a secret, as a back end has',
    );
  return {
    client_id,
    ...(auth !== 'none' && { client_secret: secretOf(client_id) }),
    ...((auth === 'basic' || auth === 'post') && { token_endpoint_auth_method: `client_secret_${auth}` }),
    grant_types: types,
    ...(login.uris.length > 0 && { redirect_uris: login.uris }),
    ...(isLogin && login.uris.length === 0 && { loopback_redirects: true }),
    ...(logout.uris.length > 0 && { post_logout_redirect_uris: logout.uris }),
    ...idTokenAlg((samples.tokens.id_token ?? samples.tokens.access_token)?.header),
    ...audienceOf(samples, client_id),
  };
}

/** A made-up secret; that of the recording is nowhere. */
function secretOf(client_id: string): string {
  return `${client_id.replace(/[^\x21-\x7e]/g, '-').slice(0, 60)}-secret`;
}

function grantsOf({ grant_types, redirect_uris }: SampleClient, answer: SampleMembers = {}): readonly GrantType[] {
  const shown = grants.filter(grant => grant_types.includes(grant));
  const isLogin = redirect_uris.length > 0 || shown.length === 0 || shown.includes('refresh_token');
  const all = new Set<GrantType>([...(isLogin ? (['authorization_code'] as const) : []), ...shown]);
  if ('refresh_token' in answer && all.has('authorization_code')) all.add('refresh_token');
  return [...all];
}

function idTokenAlg(header: SampleMembers = {}): Pick<ClientEntry, 'id_token_signed_response_alg'> {
  const alg = signingAlgs.find(each => each === header.alg);
  return alg === undefined || alg === 'RS256' ? {} : { id_token_signed_response_alg: alg };
}

/** `aud` of access tokens, without the client itself and without the issuer's own addresses. */
function audienceOf(
  { tokens, metadata = {} }: SampleReading['samples'],
  client_id: string,
): Pick<ClientEntry, 'audience'> {
  const claims = (tokens.access_token ?? tokens.client_token)?.claims ?? {};
  const issuer = String(metadata.issuer ?? claims.iss ?? '');
  const isOwn = (text: string) => text === client_id || (issuer !== '' && text.startsWith(issuer));
  const texts = [claims.aud].flat().filter((each): each is string => typeof each === 'string' && each !== '');
  const others = texts.filter(text => !isOwn(text)).slice(0, 10);
  const [only] = others;
  if (only === undefined) return {};
  return { audience: others.length === 1 && !Array.isArray(claims.aud) ? only : others };
}
