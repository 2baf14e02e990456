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

/** The marks of a seat on the board, in words: `done`, `close`, `not yet`. */
export function marksOf({ html }: Visit, name: string): readonly string[] {
  const row = new RegExp(`<tr><th scope="row">(?:<a[^>]*>)?${name}[\\s\\S]*?</tr>`).exec(html)?.[0] ?? '';
  return [...row.matchAll(/<span class="vh"> ([^<]+)<\/span>/g)].map(([, mark = '']) => mark);
}
