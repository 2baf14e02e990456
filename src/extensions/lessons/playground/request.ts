import type { HttpCall } from '../../../dashboard/http-call.ts';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { certificateField, showsCertificate, subjectOf } from './certificate.ts';
import { credentials, encoded, makeAssertion, signs } from './credentials.ts';
import type { Step, StepField } from './grant.ts';
import { makeProof, newProofKey } from './proof.ts';
import { canSignRequests, inObject, signRequest } from './request-object.ts';
import { type Edits, editsOf, type PlaygroundState } from './states.ts';
import { bearer, boundToken, dpopProof } from './steps.ts';
import { isOfEarlierStep, sourceOf } from './words.ts';

/** A field with the value that is sent. */
export interface Filled extends Omit<StepField, 'value'> {
  readonly value: string;
  /** Tells it from the others of the step. */
  readonly key: string;
  /** The source of the value. */
  readonly from: string;
  readonly isRemoved: boolean;
  readonly isWrong: boolean;
  /** Whether the learner typed the value. */
  readonly isTyped: boolean;
  /** A value that an earlier step must produce first. */
  readonly isMissing: boolean;
}

/** The request of a step, ready to be sent. */
export interface Prepared {
  readonly fields: readonly Filled[];
  readonly call: HttpCall;
}

export interface StepFacts {
  readonly client: RegisteredClient | undefined;
  /** The absolute address of the endpoint. */
  readonly url: string;
  /** The issuer, which assertions are for. */
  readonly issuer: string;
  /** Whether the sandbox speaks HTTPS, so that a client can show a certificate. */
  readonly isSecure: boolean;
  /** Unix seconds. */
  readonly now: number;
}

/** Fills the template of a step, with the changes of the learner. */
export async function prepare(step: Step, state: PlaygroundState, facts: StepFacts): Promise<Prepared> {
  const { client, isSecure, url } = facts;
  const all = fieldsFor(step, client, isSecure).filter(({ name }) => name !== 'scope' || state.scope !== '');
  const values = await valuesOf(all, { step, state, facts });
  const fill = (field: StepField) => filled(field, values, editsOf(state, step.id));
  if (client !== undefined && all.some(({ value }) => value === '{request}')) {
    const claims = all.filter(field => field.in === 'claim').map(fill);
    values.set('request', await signRequest(client, sent(claims)));
  }
  const fields = all.map(fill);
  return { fields, call: callOf(step, fields, url) };
}

/** A claim may have the name of a parameter. */
function keyOf({ name, in: where }: StepField): string {
  return where === 'claim' ? `claim.${name}` : name;
}

function filled(field: StepField, values: ReadonlyMap<string, string>, { wrong, typed, removed }: Edits): Filled {
  const key = keyOf(field);
  const right = field.value.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '');
  const isWrong = wrong.has(key);
  const value = isWrong ? wrongValue(field.name, right) : (typed.get(key) ?? right);
  const isTyped = typed.has(key);
  const isMissing = isOfEarlierStep(field.value) && !isTyped && value.replace(/^\w+ /, '') === '';
  const from = sourceOf(field.value);
  return { ...field, key, value, from, isWrong, isTyped, isRemoved: removed.has(key), isMissing };
}

async function valuesOf(
  fields: readonly StepField[],
  { step, state, facts }: { readonly step: Step; readonly state: PlaygroundState; readonly facts: StepFacts },
) {
  const { client, url, issuer, now } = facts;
  const { client_id, user, scope } = state;
  const basic = Buffer.from(`${encoded(client_id)}:${encoded(client?.client_secret ?? '')}`).toString('base64');
  const client_secret = client?.client_secret ?? '';
  const certificate = client === undefined ? '' : subjectOf(client);
  const soon = String(now + objectLifetime);
  const known = { client_id, user, scope, client_secret, basic, issuer, soon, certificate };
  const values = new Map([...state.values, ...Object.entries(known)]);
  if (fields.some(({ value }) => value === '{proof}')) {
    state.proofKey ??= newProofKey();
    const token = step.endpoint === 'token' ? undefined : state.values.get('access_token');
    values.set('proof', await makeProof(await state.proofKey, { method: step.method, url, now, token }));
  }
  if (step.authenticates && client !== undefined && signs(client))
    values.set('assertion', await makeAssertion(client, issuer, now));
  return values;
}

/** Seconds. The learner reads the page before the browser takes the request to the server. */
const objectLifetime = 1800;

/** Names and values of the fields that are not removed. */
function sent(fields: readonly Filled[]): readonly (readonly [name: string, value: string])[] {
  return fields.filter(({ isRemoved }) => !isRemoved).map(({ name, value }) => [name, value]);
}

function callOf({ method }: Step, fields: readonly Filled[], url: string): HttpCall {
  const headers = sent(fields.filter(field => field.in === 'header'));
  const parameters = new URLSearchParams(sent(fields.filter(field => field.in === undefined)).map(pair => [...pair]));
  if (method === 'GET') return { method, url: parameters.size === 0 ? url : `${url}?${parameters}`, headers };
  const type = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
  return { method, url, headers: [...headers, type], body: parameters.toString() };
}

/** The fields of a step as this client must send them: with its credentials, its certificate, its proof, its signature. */
function fieldsFor(step: Step, client: RegisteredClient | undefined, isSecure: boolean): readonly StepField[] {
  const own = step.authenticates ? credentials(client) : [];
  if (client === undefined) return [...own, ...step.fields];
  const isRequest = step.fields.some(({ name }) => name === 'response_type');
  const asked = isRequest && canSignRequests(client) ? inObject(step) : bound(step, client);
  const isNotified =
    client.backchannel_token_delivery_mode === 'ping' && step.endpoint === 'backchannel_authentication';
  return [
    ...(isSecure && showsCertificate(client, step) ? [certificateField] : []),
    ...own,
    ...asked,
    ...(isNotified ? [notificationField] : []),
  ];
}

const notificationField: StepField = {
  name: 'client_notification_token',
  value: 'playground-notification',
  why: 'The server sends it with its notification, so that the app knows the sender.',
  rfc: 'CIBA Core §7.1',
};

/** Adds a DPoP proof for a client that is registered for DPoP (RFC 9449 §5.2). */
function bound({ endpoint, fields }: Step, client: RegisteredClient): readonly StepField[] {
  if (client.dpop_bound_access_tokens !== true || fields.includes(dpopProof)) return fields;
  if (endpoint === 'token') return [dpopProof, ...fields];
  return fields.flatMap(field => (field === bearer ? [boundToken, dpopProof] : [field]));
}

/** Mistakes that people make with a parameter. */
const mistakes: Readonly<Record<string, (right: string) => string>> = {
  redirect_uri: () => 'https://elsewhere.example/callback',
  scope: right => `${right} everything`.trim(),
  grant_type: () => 'password_grant',
  response_type: () => 'codes',
  code_challenge_method: () => 'plain',
  subject_token_type: () => 'urn:ietf:params:oauth:token-type:saml2',
  client_id: right => `${right}-2`,
  iss: right => `${right}-2`,
  aud: () => 'https://other.example',
  exp: right => String(Number(right) - 7200),
  certificate: () => 'CN=somebody-else',
  login_hint: () => 'nobody',
  binding_message: right => `${right}\n`,
};

/** A plausible wrong value: a usual mistake, or one changed character in the middle. */
export function wrongValue(name: string, right: string): string {
  const mistake = mistakes[name];
  if (mistake !== undefined) return mistake(right);
  const [, unsigned = ''] = /^([\w ]*[\w-]+\.[\w-]+\.)[\w-]+$/.exec(right) ?? []; // of a JWT, only the signature becomes wrong
  const middle = Math.floor((unsigned.length + right.length) / 2);
  const other = right[middle] === 'A' ? 'B' : 'A';
  return right === '' ? 'wrong' : right.slice(0, middle) + other + right.slice(middle + 1);
}
