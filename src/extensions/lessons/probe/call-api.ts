import { defined } from '../../../base/defined.ts';
import type { ProbeAnswer, ProbeRequest } from '../control.ts';
import type { ApiProbe } from './probe.ts';

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
  return { case: name, ...defined({ status, challenge, failure }) };
}
