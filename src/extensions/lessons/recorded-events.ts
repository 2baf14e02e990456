import type { ExtensionEvents } from '../../base/events/event.ts';
import { flag, id, maybe, number, type RecordedAs, recordedAs, text, texts, word } from '../../sandbox/recorded.ts';

const probes = ['good', 'expired', 'audience', 'issuer', 'tampered', 'none', 'id-token', 'rotated'] as const;
const refusals = [
  'state',
  'nonce',
  'iss',
  'aud',
  'azp',
  'alg',
  'error',
  'signature',
  'sub',
  'exp',
  'iat',
  'token_type',
] as const;
const trainer = ['flow_shown', 'flow_hidden', 'hint_released', 'hints_kept', 'hints_free'] as const;
const tokenTypes = ['code', 'access', 'refresh', 'id'] as const;

/** The events of lessons and of the demo app in a recorded session. */
export const recordedEvents: RecordedAs<ExtensionEvents['lessons']['type']> = recordedAs({
  'app.callback': { client_id: text, parameters: texts },
  'app.code_sent': { client_id: text, issuer: text },
  'app.signed_in': { client_id: text, iss: text, sub: text, account: text, before: maybe(text) },
  'app.refused': { client_id: text, sent: text, expected: text, why: word(...refusals) },
  'lesson.started': { lesson: text, issuer: text },
  'task.done': { lesson: text, task: text, issuer: text, doneBy: maybe(id) },
  'api.probed': { case: word(...probes), passed: flag, status: maybe(number) },
  'client.reported': { client_id: text, isClean: flag },
  'lab.switched': { isDefended: flag },
  'lab.token_let_through': {
    ...{ alg: text, sub: maybe(text), client_id: maybe(text), scope: maybe(text), jku: maybe(text) },
    ...{ tokenType: maybe(word(...tokenTypes)), tokenId: maybe(id), isForged: flag },
  },
  'trainer.acted': { did: word(...trainer) },
});
