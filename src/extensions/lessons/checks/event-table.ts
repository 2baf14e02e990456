import type { CoreEvent, ExtensionEvents } from '../../../base/events/event.ts';
import type { FieldName } from './pattern.ts';

/** Tasks of a lesson wait for events of the core and of lessons, not of other extensions. */
type KnownType = CoreEvent['type'] | ExtensionEvents['lessons']['type'];

/** Types that the log of a learner's issuer does not have, or that are about the sandbox and not about the learner. */
type Elsewhere =
  | 'page.served'
  | `configuration.${string}`
  | `issuer.${string}`
  | `fault.${string}`
  | `ciba.${string}`
  | 'state.imported'
  | 'sandbox.reset'
  | 'answer.replaced'
  | 'lesson.started'
  | 'task.done'
  | 'trainer.acted';

interface Row {
  readonly when: string;
  readonly next: string;
  readonly fields: readonly string[];
}

/** Names of fields with spaces between, each of which some event has. */
type Fields<S extends string> = S extends `${infer First} ${infer Rest}`
  ? First extends FieldName
    ? `${First} ${Fields<Rest>}`
    : never
  : Extract<S, FieldName>;

function row<const S extends string>(when: string, next: string, fields: S & Fields<S>): Row {
  return { when, next, fields: fields.split(' ') };
}

/**
 * Events that a task can wait for: what happened, what a learner does next so that it happens, and the fields that a check compares.
 * The documentation for authors, the words after *Next* and the names that a check may use come from here.
 */
export const eventTable: { readonly [T in Exclude<KnownType, Elsewhere>]: Row } = {
  'request.completed': row('a request was answered', 'send the request', 'endpoint method path status by faults'),
  'error.returned': row(
    'a request was refused',
    'send the request that is refused',
    'endpoint status error reason description sent expected client_id about authorizationId form',
  ),
  'client.authenticated': row('a client proved who it is', 'send the name and the secret', 'client_id method'),
  'token.requested': row('a client asked for tokens', 'ask for a token', 'client_id grant_type scope ignored'),
  'authorization.requested': row(
    'a client sent a browser to sign in',
    'open the address of the sign-in',
    'client_id redirect_uri response_type response_mode source scope prompt code_challenge_method ignored',
  ),
  'authorization.pushed': row(
    'a client pushed the request of a sign-in',
    'push the request',
    'client_id redirect_uri request_uri scope isSigned ignored',
  ),
  'login.succeeded': row('somebody signed in', 'sign in', 'sub sid amr client_id by edited silently'),
  'consent.granted': row(
    'somebody allowed what a client asked for',
    'allow it on the consent page',
    'sub client_id scope withheld remembered',
  ),
  'consent.denied': row('somebody denied what a client asked for', 'deny it on the consent page', 'sub client_id'),
  'device.requested': row(
    'a device asked for two codes',
    'ask for two codes',
    'authorizationId client_id scope user_code verification_uri_complete exp ignored',
  ),
  'device.approved': row('somebody allowed a device', 'allow it in the browser', 'authorizationId client_id sub'),
  'device.denied': row('somebody denied a device', 'deny it in the browser', 'authorizationId client_id sub'),
  'code.issued': row(
    'the browser got a code',
    'sign in',
    'tokenId token authorizationId client_id sub scope iat exp redirect_uri',
  ),
  'token.issued': row(
    'a client got a token',
    'get a token',
    'tokenId token tokenType format grant_type began parentTokenId authorizationId client_id sub scope resources iat exp alg kid defect minted edited written ruled requested unknownResources claims signed',
  ),
  'token.used': row(
    'the sample API or UserInfo accepted an access token',
    'call with the token',
    'endpoint tokenId authorizationId client_id sub',
  ),
  'token.introspected': row(
    'a client asked the server about a token',
    'ask the server about the token',
    'client_id state about issuedTo',
  ),
  'token.revoked': row(
    'all tokens of a sign-in were revoked',
    'send what makes the server revoke the tokens',
    'authorizationId client_id reason',
  ),
  'token.ended': row('a token was expired by hand', 'expire the token', 'tokenId authorizationId client_id'),
  'token.resumed': row('the expiry by hand was undone', 'undo it', 'tokenId authorizationId client_id'),
  'session.ended': row('a session ended', 'sign out', 'sub sid client_id replacedBy endedBy'),
  'logout.notified': row(
    'a client was told of a sign-out',
    'sign out',
    'client_id sid channel url status milliseconds failure',
  ),
  'key.created': row('a key was made', 'make a key', 'kid alg'),
  'key.rotated': row('a new key signs from now on', 'rotate the keys', 'alg kid replaced publishedUntil'),
  'client_keys.fetched': row('the keys of a client were fetched', 'send the request', 'client_id jwks_uri kids'),
  'client.registered': row(
    'a client registered itself',
    'register the client',
    'client_id client_name redirect_uris scope',
  ),
  'client.updated': row(
    'a client changed its registration',
    'change the registration',
    'client_id client_name redirect_uris scope',
  ),
  'client.deleted': row('a client deleted itself', 'delete the client', 'client_id'),
  'client_document.fetched': row(
    'the metadata document of a client was fetched',
    'open the address of the sign-in',
    'client_id keptFor milliseconds',
  ),
  'client_document.refused': row(
    'that document is wrong, or cannot be fetched',
    'open the address of the sign-in',
    'client_id description',
  ),
  'clock.changed': row('the clock was moved', 'move the clock', 'who by offset frozen'),
  'response.held': row('a breakpoint holds a response', 'send the request', 'breakpointId endpoint status location'),
  'response.continued': row('a held response went on', 'let the response continue', 'endpoint by'),
  'app.callback': row('the demo app got a response', 'sign in at the demo app', 'client_id parameters'),
  'app.code_sent': row('the demo app sent a code to a provider', 'sign in at the demo app', 'client_id issuer'),
  'app.signed_in': row(
    'the demo app signed somebody in',
    'sign in at the demo app',
    'client_id iss sub account before',
  ),
  'app.refused': row(
    'the demo app refused a sign-in',
    'send the app a sign-in that it refuses',
    'client_id why sent expected',
  ),
  'api.probed': row('the API of the learner was called', 'let the lesson call your API', 'case passed status'),
  'client.reported': row(
    'the client report of a learner became clean, or is no longer',
    'mend what the report names',
    'client_id isClean',
  ),
  'lab.switched': row('the defence of a lab was switched', 'switch the defence', 'isDefended'),
  'lab.token_let_through': row(
    'the careless API of a lab accepted a token',
    'call the API with the token',
    'alg sub client_id scope jku tokenType tokenId isForged',
  ),
};

/** Fields of every event. */
export const stampFields = ['id', 'at', 'requestId'] as const;

/** The row of a type; undefined for a type that is about the sandbox. */
export function rowOf(type: string): Row | undefined {
  const rows: Readonly<Record<string, Row>> = eventTable;
  return Object.hasOwn(rows, type) ? rows[type] : undefined;
}
