import { defined } from '../../base/defined.ts';
import type { MintRequest } from '../../sandbox/control/mint-request.ts';
import { expectedOf, findingIn } from '../report/api/api-module.ts';
import { apiModule, resourceServer } from '../report/api/resource-server.ts';
import type { ProbeAnswer, ProbeReport, ProbeRequest, ProbeRow } from './control.ts';
import type { LessonCode } from './lesson.ts';
import type { ApiProbed, ProbeCase } from './lesson-events.ts';

export interface ApiProbeParts {
  readonly issuer: string;
  readonly tokens: NonNullable<LessonCode['probe']>;
  mint(request: MintRequest): Promise<{ readonly token: string }>;
  rotateKeys(): Promise<void>;
  emit(fact: ApiProbed): void;
}

export type ApiProbe = ReturnType<typeof createProbe>;

/**
 * Finds out whether an API checks tokens. The caller sends the requests and reports the answers, because the API may run on a
 * different machine.
 */
export function createProbe({ issuer, tokens, mint, rotateKeys, emit }: ApiProbeParts) {
  const answers = new Map<ProbeCase, ProbeAnswer>();
  /** The keys were rotated, and the API has not received a token of the new key yet. */
  let isRotated = false;

  async function request(name: ProbeCase): Promise<ProbeRequest> {
    const { title, token: wanted = {} } = apiModule(name);
    const asked = typeof wanted === 'object' ? wanted : {};
    const { client, user, audience } = tokens;
    // OIDC Core §2 allows more than the client in aud: only typ tells this ID token from a good token
    const aud = asked?.type === 'id' ? [client, audience].flat() : audience;
    const { token } = await mint({ client, user, audience: aud, ...asked });
    return { case: name, title, headers: { Authorization: `Bearer ${token}` } };
  }
  function report(requests: readonly ProbeRequest[]): ProbeReport {
    return { issuer, requests, rows: rows() };
  }
  const rows = () => rowsOf(answers);

  return {
    rows,
    /** All requests before the rotation, with fresh tokens. */
    async begin(): Promise<ProbeReport> {
      const names = caseNames.filter(name => name !== 'rotated');
      return report(await Promise.all(names.map(request)));
    },
    /** Reports answers. With `rotate`, one more request follows. */
    async take(given: readonly ProbeAnswer[], rotate: boolean): Promise<ProbeReport> {
      for (const answer of given) {
        answers.set(answer.case, answer);
        const passed = problemOf(answer) === undefined;
        emit({ type: 'api.probed', case: answer.case, passed, ...defined({ status: answer.status }) });
        if (answer.case === 'rotated' && passed) isRotated = false;
      }
      if (!rotate) return report([]);
      if (!isRotated) await rotateKeys();
      isRotated = true;
      return report([await request('rotated')]);
    },
  };
}

/** The cases of the lesson, in the order of the table. */
const inLesson: Readonly<Record<ProbeCase, true>> = {
  ...{ good: true, expired: true, audience: true, issuer: true, tampered: true, none: true, 'id-token': true },
  rotated: true,
};
const caseNames = resourceServer.modules.map(({ id }) => id).filter((id): id is ProbeCase => id in inLesson);

const problemOf = (answer: ProbeAnswer) => findingIn(apiModule(answer.case), answer)?.problem;

/** A row for each case; without answers as before the API was called. */
export function rowsOf(answers: ReadonlyMap<ProbeCase, ProbeAnswer> = new Map()): readonly ProbeRow[] {
  return caseNames.map(name => rowOf(name, answers.get(name)));
}

function rowOf(name: ProbeCase, answer: ProbeAnswer | undefined): ProbeRow {
  const module = apiModule(name);
  const { title, right: proves } = module;
  const row = { case: name, title, proves, expected: expectedOf(module) };
  if (answer === undefined) return { ...row, state: 'open' };
  const { status, challenge } = answer;
  const problem = problemOf(answer);
  return { ...row, state: problem === undefined ? 'passed' : 'failed', status, challenge, problem };
}

/** Sends a GET, and explains a missing answer. */
export type CallApi = (
  url: string,
  headers: Readonly<Record<string, string>>,
) => Promise<Pick<ProbeAnswer, 'status' | 'challenge' | 'failure'>>;

/** Calls the API of the learner with the tokens of a probe. `rotated` uses a token signed with the new keys. */
export async function probeFromHere(probe: ApiProbe, call: CallApi, url: string, what: 'tokens' | 'rotated') {
  const { requests } = what === 'rotated' ? await probe.take([], true) : await probe.begin();
  const answers: ProbeAnswer[] = [];
  // one call after the other, because the first one makes the API fetch the keys
  for (const request of requests) {
    const last = answers.at(-1);
    // stops at an API that does not answer, because seven timeouts take too long
    const isGone = last !== undefined && last.status === undefined;
    answers.push(isGone ? { ...last, case: request.case } : await answerTo(request, call, url));
  }
  await probe.take(answers, false);
}

async function answerTo({ case: name, headers }: ProbeRequest, call: CallApi, url: string): Promise<ProbeAnswer> {
  const { status, challenge, failure } = await call(url, headers);
  return { case: name, status, challenge, failure };
}
