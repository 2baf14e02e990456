import { cookieHeader } from '../../../src/server/wire/cookie-jar.ts';
import type { Agent } from '../../support/agent.ts';

/** The page of a lesson, for a learner without scripts. */
export function newLearnerPage(agent: Agent, url: string, id: string) {
  const open = () => agent.open(`${url}/lessons/${id}`);
  return {
    open,
    start: async () => agent.submit(await open(), 'lesson-begin'),
    /** Sends the form of a button of the page. */
    async post(action: string, form: Readonly<Record<string, string>>) {
      const headers = { Origin: new URL(url).origin, ...cookieHeader(agent.cookies) };
      await fetch(`${url}/lessons/${id}/${action}`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(form),
        redirect: 'manual',
      });
      return open();
    },
    stateOf: (html: string, task: string) =>
      /<span class="tag \w+">([^<]+)/.exec(html.slice(html.indexOf(`id="state-${task}"`)))?.[1],
  };
}
