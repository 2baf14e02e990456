import type { Sandbox } from '../../../src/index.ts';
import { begin, join, type Learner, work } from '../../extensions/lessons/workshop/learner.ts';

export const lesson = 'client-credentials';

/** A class: what the seats of a room do before and after a restart. */
export interface Class {
  readonly learners: readonly Learner[];
  /** Those who are stuck, by the reason that the board must give. */
  readonly stuck: ReadonlyMap<string, RegExp>;
  readonly hand: string;
}

const late = 6 * 60;

/** What a seat does: the tasks that it solves first, then how it goes wrong, three times or once. */
interface Manner {
  readonly solves: readonly string[];
  readonly slips?: readonly [task: string, nearMiss: string, times: number];
  /** An option of the question: `b` is right. */
  readonly answers?: string;
  /** The reason on the board of somebody who is stuck. */
  readonly why?: RegExp;
  readonly isSilent?: true;
}

const all = ['token', 'call', 'scope', 'secret'];

/** A larger room repeats the last four. */
const manners: readonly Manner[] = [
  { solves: [], slips: ['token', 'a typo in the scope', 3], why: /Unknown scope/ },
  { solves: [], slips: ['token', 'a typo in the secret', 4], why: /client_secret.+ is wrong/ },
  { solves: ['token'], slips: ['call', 'a measurement without the temperature', 5], why: /The row has invalid fields/ },
  { solves: ['token', 'call'], isSilent: true, why: /No request for 6 minutes/ },
  { solves: all, answers: 'b' },
  { solves: all, answers: 'a' },
  { solves: ['token', 'call', 'scope'] },
  { solves: ['token'], slips: ['call', 'a typo in the token', 1] },
];

function mannerOf(seat: number): Manner | undefined {
  return manners[seat < manners.length ? seat : manners.length - 4 + (seat % 4)];
}

/** Takes the seats and does the first half; the silent ones send nothing after that. */
export async function firstHalf(room: Sandbox, seats: number): Promise<Class> {
  const learners: Learner[] = [];
  const stuck = new Map<string, RegExp>();
  for (let seat = 0; seat < seats; seat++) {
    const learner = await join(room);
    learners.push(learner);
    const issuer = await begin(learner, lesson);
    const { solves = [], why } = mannerOf(seat) ?? {};
    for (const task of solves.slice(0, 2)) await work(issuer, lesson, task);
    if (why !== undefined) stuck.set(learner.name, why);
  }
  return { learners, stuck, hand: learners.at(-1)?.name ?? '' };
}

/** Everybody comes back with the cookie, also after a restart, and goes on; `passes` moves the time by so many seconds. */
export async function secondHalf(
  room: Sandbox,
  { learners, hand }: Class,
  passes: (seconds: number) => void,
): Promise<void> {
  await fetch(room.url).catch(() => undefined); // a connection from before the restart may not know yet that it was closed
  passes(late);
  for (const [seat, learner] of learners.entries()) {
    const { solves = [], slips, answers, isSilent } = mannerOf(seat) ?? {};
    const at = `${room.url}/i/${learner.name}/lessons/${lesson}`;
    const page = await learner.agent.open(at);
    if (isSilent) continue;
    const issuer = `${room.url}/i/${lesson}-${learner.name}`;
    for (const task of solves.slice(2)) await work(issuer, lesson, task);
    for (let time = 0; time < (slips?.[2] ?? 0); time++) await work(issuer, lesson, slips?.[0] ?? '', slips?.[1]);
    if (answers !== undefined) await learner.agent.submit(page, 'lesson-answer-whose', { option: answers });
    if (learner.name === hand) await learner.agent.submit(page, 'shell-hand-button');
  }
}
