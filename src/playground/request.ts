import type { HttpCall } from '../dashboard/copy-as/http-call.ts';
import type { RegisteredClient } from '../oauth/clients/client.ts';
import type { Step, StepField } from './grant.ts';
import { makeProof, newProofKey } from './proof.ts';
import { editsOf, type PlaygroundState } from './states.ts';
import { sourceOf } from './words.ts';
import { wrongValue } from './wrong-value.ts';

/** A field with the value that is sent. */
export interface Filled extends Omit<StepField, 'value'> {
  readonly value: string;
  /** Where the value comes from. */
  readonly from: string;
  readonly isRemoved: boolean;
  readonly isWrong: boolean;
  /** A value that an earlier step has to give first. */
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
  /** Unix seconds. */
  readonly now: number;
}

/** Fills the template of a step, with the changes of the learner. */
export async function prepare(step: Step, state: PlaygroundState, facts: StepFacts): Promise<Prepared> {
  const values = await valuesOf(step, state, facts);
  const edits = editsOf(state, step.id);
  const all = [...(step.authenticates ? credentials(facts.client) : []), ...step.fields];
  const fields = all
    .filter(field => field.name !== 'scope' || state.scope !== '')
    .map(field => {
      const right = field.value.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '');
      const isWrong = edits.wrong.has(field.name);
      const value = isWrong ? wrongValue(field.name, right) : (edits.typed.get(field.name) ?? right);
      const isMissing = /\{(\w+)\}/.test(field.value) && value.replace(/^\w+ /, '') === '';
      return {
        ...field,
        value,
        from: sourceOf(field.value),
        isWrong,
        isRemoved: edits.removed.has(field.name),
        isMissing,
      };
    });
  return { fields, call: callOf(step, fields, facts.url) };
}

async function valuesOf(step: Step, state: PlaygroundState, { client, url, now }: StepFacts) {
  const { client_id, user, scope } = state;
  const basic = Buffer.from(`${encoded(client_id)}:${encoded(client?.client_secret ?? '')}`).toString('base64');
  const client_secret = client?.client_secret ?? '';
  const values = new Map([...state.values, ...Object.entries({ client_id, user, scope, client_secret, basic })]);
  if (step.fields.some(({ value }) => value === '{proof}')) {
    state.proofKey ??= newProofKey();
    const token = step.endpoint === 'token' ? undefined : state.values.get('access_token');
    values.set('proof', await makeProof(await state.proofKey, { method: step.method, url, now, token }));
  }
  return values;
}

/** RFC 6749 §2.3.1: form-encoded before it is joined. */
function encoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

const rfc = 'RFC 6749 §2.3.1';
const idField: StepField = { name: 'client_id', value: '{client_id}', why: 'Says which application asks.', rfc };

/** Client authentication as registered; a public client only names itself. */
function credentials(client: RegisteredClient | undefined): readonly StepField[] {
  const methods = client?.token_endpoint_auth_methods ?? [];
  if (methods.includes('client_secret_basic')) {
    const why = 'The id and the secret of the application, joined by a colon and encoded in Base64.';
    return [{ name: 'Authorization', value: 'Basic {basic}', why, rfc, isHeader: true }];
  }
  if (!methods.includes('client_secret_post')) return [idField];
  return [idField, { name: 'client_secret', value: '{client_secret}', why: 'Proves who the application is.', rfc }];
}

function callOf({ method }: Step, fields: readonly Filled[], url: string): HttpCall {
  const sent = fields.filter(({ isRemoved }) => !isRemoved);
  const headers = sent.filter(({ isHeader }) => isHeader).map(({ name, value }) => [name, value] as const);
  const parameters = new URLSearchParams(
    sent.filter(({ isHeader }) => !isHeader).map(({ name, value }) => [name, value]),
  );
  if (method === 'GET') return { method, url: parameters.size === 0 ? url : `${url}?${parameters}`, headers };
  const type = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
  return { method, url, headers: [...headers, type], body: parameters.toString() };
}
