import type { Sandbox } from '../../../../src/index.ts';
import { type Agent, createAgent, type Visit } from '../../../support/agent.ts';
import { doTask } from '../deeds.ts';

export interface Learner {
  readonly agent: Agent;
  readonly name: string;
  readonly key: string;
  readonly issuer: string;
}

/** The text of the element with a test id. */
export const shown = (html: string, id: string) =>
  new RegExp(`data-testid="${id}"[^>]*>([^<]*)`).exec(html)?.[1]?.trim() ?? '';

export async function join({ url }: Sandbox, agent = createAgent(url)): Promise<Learner> {
  const { html } = await agent.submit(await agent.open(`${url}/join`), 'join-take');
  return { agent, name: shown(html, 'join-seat'), key: shown(html, 'join-key'), issuer: shown(html, 'join-issuer') };
}

/** Starts a lesson in the seat; the issuer of the lesson. */
export async function begin({ agent, issuer }: Learner, lesson: string): Promise<string> {
  const started = await agent.submit(await agent.open(`${issuer}/lessons/${lesson}`), 'lesson-begin');
  return /data-lesson-issuer="([^"]+)"/.exec(started.html)?.[1] ?? '';
}

/** Does a task of a lesson, or nearly does it. */
export async function work(issuer: string, lesson: string, task: string, nearMiss?: string) {
  await doTask(issuer, lesson, task, nearMiss);
}

/** The trainer, whose browser has the cookie. */
export async function enterRoom({ url }: Sandbox, key: string): Promise<Agent> {
  const agent = createAgent(url);
  await agent.submit(await agent.open(`${url}/room`), 'room-sign-in', { key });
  return agent;
}

/** A seat on the board: its card in a lesson, or its row in all lessons. */
export function seatOf({ html }: Visit, name: string): string {
  return new RegExp(`data-seat="${name}"[\\s\\S]*?</(?:tr|li)>`).exec(html)?.[0] ?? '';
}

/** The marks of a seat on the board, in words: `done`, `close`, `begun`, `not yet`. */
export function marksOf(board: Visit, name: string): readonly string[] {
  return [...seatOf(board, name).matchAll(/<span class="vh"> ([^<]+)<\/span>/g)].map(([, mark = '']) => mark);
}

/** The seats of a lesson in the order of the board. */
export function seatsOn({ html }: Visit): readonly string[] {
  return [...html.matchAll(/data-seat="([^"]+)"/g)].map(([, name = '']) => name);
}
