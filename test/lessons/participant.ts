import type { Participant } from '../../src/lessons/solver.ts';
import { createAgent, type Visit } from '../support/agent.ts';

/** A learner over real HTTP, in the issuer of a lesson. */
export function createParticipant(issuer: string): Participant {
  const agent = createAgent(new URL(issuer).origin);
  const pages = new WeakMap<object, Visit>();
  const kept = (visit: Visit) => {
    const page = { url: visit.url, html: visit.html };
    pages.set(page, visit);
    return page;
  };
  return {
    issuer,
    async call(path, { method, form, json, headers = {} } = {}) {
      const hasBody = form !== undefined || json !== undefined;
      const response = await fetch(`${issuer}${path}`, {
        method: method ?? (hasBody ? 'POST' : 'GET'),
        headers: { ...headers, ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) },
        redirect: 'manual',
        ...(hasBody ? { body: form === undefined ? JSON.stringify(json) : new URLSearchParams(form) } : {}),
      });
      const text = await response.text();
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {} };
    },
    open: async path => kept(await agent.open(path.startsWith('http') ? path : `${issuer}${path}`)),
    submit: async (page, name) => kept(await agent.submit(pages.get(page) ?? { ...page, status: 200 }, name)),
  };
}
