import { asCurl, quote } from '../../../dashboard/http-call.ts';
import { indented } from '../../../dashboard/requests/body-view.ts';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { explainedRequest, explanationView } from '../../../record/problems/explain.ts';
import { isSelfSigned, issuingPath, needsCertificate, subjectOf } from './certificate.ts';
import { canBePlayed, clientOf } from './choices.ts';
import { hasDemoKey } from './credentials.ts';
import { prepareStep } from './engine.ts';
import type { Prepared } from './request.ts';
import { canSignRequests, mustSignRequests } from './request-object.ts';
import type { PlaygroundRoom } from './room.ts';
import { challengeOf, type Edits, editsOf, type PlaygroundState, type Result } from './states.ts';
import { notes, places, predictions } from './words.ts';

/** The state of a grant as its page shows it. */
export async function grantPage(room: PlaygroundRoom, state: PlaygroundState) {
  const { grant } = state;
  const step = grant.steps[state.step] ?? grant.steps[0];
  if (step === undefined) throw new Error(`the grant ${grant.id} has no steps`);
  const prepared = await prepareStep(room, state, step);
  const result = state.results.get(step.id);
  const guess = state.predictions.get(step.id);
  const isAccepted = result?.outcome === 'accepted';
  const hasNext = state.step + 1 < grant.steps.length && (isAccepted || step.by === 'visit');
  return {
    at: room.at,
    grant,
    state: { client_id: state.client_id, user: state.user, scope: state.scope },
    number: state.step + 1,
    steps: grant.steps.map(({ id, title }, index) => ({
      title,
      number: index + 1,
      isCurrent: index === state.step,
      outcome: state.results.get(id)?.outcome,
      hasEdits: isEdited(state.edits.get(id)),
    })),
    step,
    prepared,
    places,
    curl: prepared === undefined ? '' : curlOf(room, clientOf(room, state.client_id), prepared),
    notes: notesOn(room, state),
    path: prepared === undefined ? '' : new URL(prepared.call.url).pathname,
    empty: prepared?.fields.filter(({ isMissing, isRemoved }) => isMissing && !isRemoved).map(({ name }) => name) ?? [],
    answers: step.by === 'visit' ? [] : Object.entries(predictions[step.by]).map(([id, text]) => ({ id, text })),
    guess,
    isRight: result === undefined || guess === undefined ? undefined : guess === result.outcome,
    result: result === undefined ? undefined : { ...result, body: indented(result.body) },
    explained: explanationOf(room, result),
    machine: machineOf(state),
    address: addressOf(room, state),
    ...(hasNext ? { next: state.step + 2 } : {}),
    // only one button is filled: the one to press now
    isDone: hasNext && isAccepted && result.stateMatches !== false,
  };
}

function isEdited(edits: Edits | undefined): boolean {
  return edits !== undefined && edits.removed.size + edits.wrong.size + edits.typed.size > 0;
}

function explanationOf({ desk }: PlaygroundRoom, result: Result | undefined) {
  if (result === undefined || result.outcome === 'accepted' || result.requestId === '') return undefined;
  const explained = explainedRequest(desk, result.requestId);
  return explained === undefined ? undefined : explanationView(explained.explanation, result.requestId, undefined);
}

/** The two strings to compare: the challenge that the server keeps, and the SHA-256 of the verifier it receives. */
function machineOf(state: PlaygroundState) {
  const { values, results, grant } = state;
  if (!grant.steps.some(({ fields }) => fields.some(({ name }) => name === 'code_challenge'))) return undefined;
  const [verifier = '', made = ''] = [values.get('verifier'), values.get('challenge')];
  const challenge = state.sentChallenge ?? made;
  const redeemed = results.get('token');
  const sent = redeemed === undefined ? verifier : (redeemed.verifier ?? '');
  const computed = sent === '' ? '' : challengeOf(sent);
  return {
    verifier: sent,
    computed,
    challenge,
    isSent: redeemed !== undefined,
    meets: challenge !== '' && computed === challenge,
  };
}

/** Values of one moment, which are not for others. */
const ofTheMoment: ReadonlySet<string> = new Set([
  'Authorization',
  'DPoP',
  'client_secret',
  'client_assertion',
  'request',
  'code',
]);

/** The address that makes this starting state again, with the changes of each step behind its number. */
function addressOf(room: PlaygroundRoom, state: PlaygroundState): string {
  const { home = new URL(room.desk.issuer).origin + room.at } = room;
  return `${home}/${state.grant.id}?${queryOf(room, state)}`;
}

export function queryOf({ callback }: PlaygroundRoom, state: PlaygroundState): URLSearchParams {
  const { grant, client_id, user, scope } = state;
  const query = new URLSearchParams({ client: client_id, user, scope });
  const redirect_uri = state.values.get('redirect_uri') ?? callback;
  if (redirect_uri !== callback) query.set('redirect', redirect_uri);
  for (const [index, { id }] of grant.steps.entries()) {
    const edits = editsOf(state, id);
    if (!isEdited(edits)) continue;
    query.append('step', String(index + 1));
    for (const name of edits.removed) query.append('remove', name);
    for (const name of edits.wrong) query.append('wrong', name);
    for (const [name, value] of edits.typed) if (!ofTheMoment.has(name)) query.append(`set.${name}`, value);
  }
  return query;
}

/** The request as a command for a POSIX shell, after the commands that fetch the certificate of the client. */
function curlOf(room: PlaygroundRoom, client: RegisteredClient | undefined, { call, fields }: Prepared): string {
  const curl = room.desk.reach.hasOwnCa ? 'curl -k' : 'curl'; // the CA of the start, which a shell does not know
  const shown = fields.find(field => field.in === 'handshake' && !field.isRemoved);
  const plain = asCurl(call).replace(/^curl/, () => curl);
  if (client === undefined || shown === undefined) return plain;
  const { origin } = new URL(room.desk.issuer);
  const file = quote(`${client.client_id}.pem`);
  const isRight = shown.value === subjectOf(client);
  if (isRight && isSelfSigned(client)) {
    const subject = quote(`/${shown.value}`);
    return [
      `${curl} -sSO ${quote(`${room.desk.issuer}/dashboard/catalogue/grantbox-demo-key.pem`)}`,
      `openssl req -x509 -new -key grantbox-demo-key.pem -subj ${subject} -days 30 -out ${file}`,
      plain.replace(/^\S+ -k|^\S+/, start => `${start} --cert ${file} --key grantbox-demo-key.pem`),
    ].join('\n');
  }
  const path = issuingPath(room);
  if (path === undefined) return plain;
  const named = isRight ? `client_id=${client.client_id}` : `subject_dn=${shown.value}`;
  return [
    `${curl} -sS -o ${file} ${quote(origin + path)} --data-urlencode ${quote(named)}`,
    plain.replace(/^\S+ -k|^\S+/, start => `${start} --cert ${file}`),
  ].join('\n');
}

/** A sentence for each thing that the client needs and the page does not have. */
function notesOn(room: PlaygroundRoom, { client_id, grant }: PlaygroundState): readonly string[] {
  const client = clientOf(room, client_id);
  if (client === undefined) return [];
  const asks = grant.steps.some(({ fields }) => fields.some(({ name }) => name === 'response_type'));
  const usesTls = needsCertificate(client);
  const isSecure = room.desk.reach.scheme === 'https';
  const hasNoKey = client.token_endpoint_auth_methods.includes('self_signed_tls_client_auth') && !hasDemoKey(client);
  const found = {
    plain: usesTls && !isSecure,
    foreignCa: usesTls && isSecure && issuingPath(room) === undefined && !isSelfSigned(client),
    foreignCertificate: isSecure && hasNoKey,
    foreignKey: !canBePlayed(client),
    unsigned: asks && mustSignRequests(client) && !canSignRequests(client),
  };
  return Object.entries(notes).flatMap(([name, text]) => (found[name as keyof typeof found] ? [text] : [])); // the keys of the table
}
