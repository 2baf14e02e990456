import { defined } from '../../../base/defined.ts';
import type { Relaxation } from '../../../protocol/relaxation.ts';
import { protectionWords } from '../demo-app/words.ts';
import { compareRounds } from '../lab/compare.ts';
import type { ApiCheck, LabActor, LabParts, LabWeakness } from '../lab/lab.ts';
import { type LabRequest, type LabRound, type LabRun, pathBelow } from '../lab/lab-run.ts';
import type { OpenLesson } from '../run/lesson-runs.ts';
import type { LabText } from '../text/lesson-text.ts';
import { toHtml } from '../text/to-html.ts';

/** The buttons of a lab, and the requests that they caused; empty for other lessons. `values`: the addresses in the texts. */
export function labView(
  { code: { lab }, text: { lab: text, check } }: OpenLesson,
  run: LabRun | undefined,
  values: Readonly<Record<string, string>>,
) {
  if (lab === undefined || text === undefined) return {};
  const rounds = run?.rounds;
  const comparison = rounds && compareRounds(rounds.open, rounds.defended);
  return {
    lab: {
      isDefended: run?.isDefended() === true,
      weaknesses: weaknessWords(lab.weak),
      defence: { title: text.defence.title, html: toHtml(text.defence.text, values) },
      yours: { title: text.yours.title, html: toHtml(text.yours.text, values) },
      open: lab.steps.map(step => stepView(step, text, rounds?.open)),
      defended: lab.steps.map(step => stepView(step, text, rounds?.defended)),
      hasAttacked: (rounds?.open.steps.size ?? 0) > 0,
      ...defined({ comparison, check }),
    },
  };
}

function stepView({ id, by }: LabParts['steps'][number], { steps }: LabText, round: LabRound | undefined) {
  const { title = id, text = '' } = steps.get(id) ?? {};
  const sight = round?.steps.get(id);
  return {
    ...{ id, title, by: actorWords[by], html: toHtml(text, {}) },
    isDone: sight !== undefined,
    seen: sight?.seen ?? [],
    ...defined({ stopped: sight?.stopped }),
    requests: (round?.requests ?? []).filter(({ step }) => step === id).map(requestView),
  };
}

function requestView(request: LabRequest) {
  const { by, issuer, isAtSecond, completed, refusal, outcome } = request;
  const { method, status, requestId } = completed;
  const href = refusal === undefined ? `requests/${requestId}` : `problems/${requestId}`;
  return {
    ...{ by: actorWords[by], method, path: pathBelow(request), isAtSecond, status },
    href: `${issuer}/dashboard/${href}`,
    ...defined({ error: refusal?.error, outcome }),
  };
}

const actorWords: Readonly<Record<LabActor | 'you', string>> = {
  alice: 'Alice',
  mallory: 'Mallory',
  app: 'the application',
  you: 'you',
};

/** Everything that is careless while the defence is off, a sentence each. */
function weaknessWords({ relax = [], api = [], unprotected = [], clients = {} }: LabWeakness): readonly string[] {
  const ofClients = Object.entries(clients).flatMap(([client_id, members]) =>
    Object.entries(members).map(([name, value]) => `The client ${client_id} has ${name}: ${JSON.stringify(value)}.`),
  );
  const ofApp = unprotected.map(name => `The demo application does not do this: ${protectionWords[name].label}.`);
  return [...relax.map(name => relaxationWords[name]), ...api.map(check => apiWords[check]), ...ofApp, ...ofClients];
}

/** The words of each relaxation. A relaxation without an entry does not compile. */
const relaxationWords: Readonly<Record<Relaxation, string>> = {
  pkce_absent: '`pkce_absent`: the server issues a code without PKCE to a public client (RFC 9700 §2.1.1).',
  pkce_downgrade:
    '`pkce_downgrade`: the server ignores a `code_verifier` if there was no `code_challenge` (RFC 9700 §4.8.2).',
  redirect_prefix:
    '`redirect_prefix`: the server accepts a `redirect_uri` that begins like a registered one (RFC 9700 §4.1.3).',
  device_warning:
    '`device_warning`: the page for the code of a device asks no question and gives no warning (RFC 8628 §5.4).',
};

const apiWords: Readonly<Record<ApiCheck, string>> = {
  alg: 'The API of the lab takes the algorithm from the header of the token: `alg`.',
  jku: 'The API of the lab fetches its keys from the address in the header of the token: `jku`.',
  aud: 'The API of the lab does not compare `aud`.',
  typ: 'The API of the lab does not compare `typ`, and asks for no scope.',
};
