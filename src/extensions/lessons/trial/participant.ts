import { defined } from '../../../base/defined.ts';
import { type LabReport, type ProbeAnswer, type ProbeReport, stepError } from '../control.ts';
import type { Participant, SolverPage } from '../solver.ts';
import { createAgent, type Fetch, type SolverVisit } from './agent.ts';

/** A learner over real HTTP at the issuer of a lesson. */
export function createParticipant(issuer: string, lesson: string, missing?: string): Participant {
  const { origin } = new URL(issuer);
  /** Calls the control API of the lessons for the learner with this issuer. */
  async function tell(path: string, body?: object): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    return fetch(`${origin}/_sandbox/lessons/${lesson}/${path}?issuer=${encodeURIComponent(issuer)}`, init);
  }
  return {
    ...createVisitor(issuer),
    ...defined({ missing }),
    async probe(url, what) {
      const begun = await (what === 'rotated' ? tell('probe', { answers: [], rotate: true }) : tell('probe'));
      const { requests }: ProbeReport = await begun.json();
      const answers: ProbeAnswer[] = [];
      for (const { case: name, headers } of requests) {
        const { status, headers: answered } = await fetch(url, { headers });
        answers.push({ case: name, status, challenge: answered.get('WWW-Authenticate') ?? undefined });
      }
      await tell('probe', { answers });
    },
    async attack(step, page) {
      const { steps }: LabReport = await (await tell('attack', { step, page })).json();
      const failed = steps.find(({ stopped }) => stopped?.startsWith(stepError));
      if (failed !== undefined) throw new Error(`step ${failed.step}: ${failed.stopped}`);
    },
    async defend(isDefended) {
      await tell('defence', { isDefended });
    },
  };
}

/** A person with a terminal and a browser without scripts, which keeps its cookies. */
export function createVisitor(
  issuer: string,
  fetchBy: Fetch = fetch,
): Pick<Participant, 'issuer' | 'call' | 'open' | 'submit' | 'submitUntil'> {
  const agent = createAgent(new URL(issuer).origin, fetchBy);
  const pages = new WeakMap<object, SolverVisit>();
  const kept = (visit: SolverVisit) => {
    const page = { url: visit.url, html: visit.html };
    pages.set(page, visit);
    return page;
  };
  const visitOf = (page: SolverPage) => pages.get(page) ?? { ...page, status: 200 };
  const at = (path: string) => (path.startsWith('http') ? path : `${issuer}${path}`);
  return {
    issuer,
    async call(path, { method, form, json, headers = {} } = {}) {
      const hasBody = form !== undefined || json !== undefined;
      const response = await fetchBy(new URL(at(path)), {
        method: method ?? (hasBody ? 'POST' : 'GET'),
        headers: { ...headers, ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) },
        redirect: 'manual',
        ...(hasBody ? { body: form === undefined ? JSON.stringify(json) : new URLSearchParams(form) } : {}),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : {} };
    },
    open: async path => kept(await agent.open(at(path))),
    submit: async (page, name, without = []) => {
      const visit = visitOf(page);
      return kept(await agent.submit({ ...visit, html: unticked(visit.html, without) }, name));
    },
    submitUntil: async (page, name, path) =>
      kept(await agent.submit(visitOf(page), name, {}, ({ pathname }) => pathname === path)),
  };
}

function unticked(html: string, fields: readonly string[]): string {
  return fields.reduce((page, field) => page.replace(new RegExp(`(name="${field}"[^>]*) checked`), '$1'), html);
}
