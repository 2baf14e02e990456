import { defined } from '../../../base/defined.ts';
import { attributesOf, findForm } from '../../../base/text/html.ts';
import { type HttpCall, isCopied } from '../../../dashboard/http-call.ts';
import { type CookieJar, cookieHeader, keepCookies } from '../../../server/wire/cookie-jar.ts';
import type { SolverPage } from '../solver.ts';
import type { Fetch } from '../trial/agent.ts';
import { createVisitor } from '../trial/participant.ts';
import {
  type DeskAct,
  type LabBrowser,
  type LabDesk,
  type LabState,
  LabStop,
  type LabVictim,
  stopReason,
} from './lab.ts';

/** The desk of the attacker in a running lab: a page of one's own, which the victim opens, and a request editor. */
export type DeskRun = ReturnType<typeof createDesk>;

export interface DeskParts {
  readonly desk: LabDesk;
  readonly issuer: string;
  readonly state: LabState;
  /** Sends a request to this process over HTTP, marked with its sender. */
  readonly sendAs: (by: 'victim' | 'desk') => Fetch;
}

/** The response to the request that the editor sent, or why there is none. */
export type DeskAnswer =
  | { readonly problem: string }
  | { readonly status: number; readonly headers: readonly (readonly [string, string])[]; readonly body: string };

const formType = 'application/x-www-form-urlencoded';
const longestPage = 20_000;
const longestSight = 4000;
const longestBody = 8000;
/** Where a victim and the editor may go: pages of the dashboard and the control API are no part of a lab. */
const endpoints = /^\/(oauth2|demo-app|labs|api|userinfo|device|\.well-known)(\/|$)/;

export function createDesk({ desk, issuer, state, sendAs }: DeskParts) {
  const fill = (text: string) => text.replaceAll('{{issuer}}', issuer).replaceAll('{{second}}', state.second);
  const isOwn = belongsTo([issuer, state.second], endpoints);
  const send = createEditor(sendAs('desk'));
  const kept = {
    page: fill(desk.page ?? ''),
    request: { method: 'GET', url: '', headers: '', body: '' },
    seen: [] as readonly DeskSight[],
    answer: undefined as DeskAnswer | undefined,
  };
  let isActing = false;
  return {
    kept,
    isActing: () => isActing,
    /** The victim does what the lab says, or the act of this id, and opens the page of the attacker if there is one. */
    async act(page = kept.page, id = ''): Promise<void> {
      kept.page = fill(page.slice(0, longestPage));
      isActing = true;
      const seen: DeskSight[] = [];
      const see: Show = (label, value) => void seen.push({ label, value: value.slice(0, longestSight) });
      const browser = createVisitor(issuer, sendAs('victim'));
      const { second, isDefended, missing } = state;
      const targetOf = (query: string) => targetIn(withQuery(kept.page, query), isOwn, issuer);
      try {
        const parts = { browser, issuer, second, isDefended, see, ...defined({ missing }) };
        await actAs(parts, actOf(desk, id), targetOf);
      } catch (error) {
        see('Stopped', stopReason(error));
      } finally {
        isActing = false;
      }
      kept.seen = seen;
    },
    /** Sends a request with the cookies of the attacker, who signs in as himself where he is asked to. */
    async send(typed: TypedRequest): Promise<void> {
      kept.request = { ...typed };
      const url = fill(typed.url.trim());
      const odd = linesOf(typed.headers).find(line => !/^[\w-]+:/.test(line));
      if (!isOwn(url))
        kept.answer = {
          problem: `Type an address of this lab, such as ${issuer}/oauth2/token. The desk sends to no other.`,
        };
      else if (odd !== undefined)
        kept.answer = {
          problem: `“${odd.slice(0, 40)}” is no header. Write a name, a colon and the value: Authorization: Bearer …`,
        };
      else kept.answer = await send(callOf({ ...typed, body: fill(typed.body.trim()) }, url));
    },
    /** What the victim did with the other position of the switch is of no use. */
    forget(): void {
      kept.seen = [];
    },
  };
}

/** The act of this id, or the first one. */
function actOf({ more = {}, page, ...first }: LabDesk, id: string) {
  const act: DeskAct = (Object.hasOwn(more, id) ? more[id] : undefined) ?? first;
  return { act, opensPage: page !== undefined && act.staysAway !== true };
}

export interface DeskSight {
  readonly label: string;
  readonly value: string;
}

export type TypedRequest = Readonly<Record<'method' | 'url' | 'headers' | 'body', string>>;

/** Whether an address is an endpoint of one of the issuers. */
export function belongsTo(issuers: readonly string[], paths: RegExp): (url: string) => boolean {
  const own = issuers.filter(each => each !== '').map(each => new URL(each));
  return text => {
    if (!URL.canParse(text)) return false;
    const { origin, pathname } = new URL(text);
    return own.some(each => {
      const base = each.pathname.replace(/\/$/, '');
      return origin === each.origin && pathname.startsWith(`${base}/`) && paths.test(pathname.slice(base.length));
    });
  };
}

/** @throws LabStop for a page that leads nowhere, or out of the lab */
function targetIn(page: string, isOwn: (url: string) => boolean, issuer: string): string {
  const target = wayOut(page);
  if (target === undefined) throw new LabStop('Your page has no link and no refresh, so Alice stays on it.');
  if (isOwn(target)) return target;
  const asked = target.slice(0, 200);
  throw new LabStop(`Alice does not open ${asked}: it is outside of this lab, whose addresses begin with ${issuer}/`);
}

/** The query begins with `?`, whatever the page has before it. */
function withQuery(page: string, query: string): string {
  return page.replace(/([?&]?)\{\{query\}\}/g, (_, before: string) => `${before || '?'}${query.replace(/^\?/, '')}`);
}

async function actAs(
  parts: LabVictim,
  { act, opensPage }: ReturnType<typeof actOf>,
  targetOf: (query: string) => string,
): Promise<void> {
  const query = (await act.victim?.(parts)) ?? '';
  if (!opensPage) return;
  const end = await visit(parts.browser, targetOf(query), parts.see);
  await act.arrives?.(end, parts);
}

/** The victim follows the page of the attacker, and signs in where she is asked to. */
async function visit(browser: LabBrowser, target: string, see: Show): Promise<SolverPage> {
  let page = await browser.open(target);
  if (page.html.includes('data-testid="login-user-alice"')) {
    see('The sign-in page', 'Alice knows it, and signs in');
    page = await browser.submit(page, 'login-user-alice');
  }
  see('The address bar of Alice', page.url.href);
  const [, title = ''] = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(page.html) ?? [];
  if (title !== '') see('The page that she sees', title.replace(/<[^>]*>|\s+/g, ' ').trim());
  const said = saidBy(page.html);
  if (said !== '') see('The page says', said);
  return page;
}

/** The account or the refusal on a page of the app; empty for other pages. */
export function saidBy(html: string): string {
  const [, text = ''] =
    /data-testid="app-account">([\s\S]*?)<\/p>/.exec(html) ?? /role="alert">([\s\S]*?)<\/p>/.exec(html) ?? [];
  return text.replace(/<[^>]+>/g, '').trim();
}

/** Sends requests with the cookies of one browser. It follows no redirect, and signs in as the attacker. */
function createEditor(send: Fetch): (call: HttpCall) => Promise<DeskAnswer> {
  const jar: CookieJar = new Map();
  async function request({ method, url, headers, body }: HttpCall): Promise<readonly [Response, string]> {
    const all = { ...Object.fromEntries(headers), ...cookieHeader(jar) };
    const response = await send(new URL(url), { method, headers: all, ...(body === undefined ? {} : { body }) });
    keepCookies(jar, response.headers.getSetCookie());
    return [response, await response.text()];
  }
  return async call => {
    let [response, body] = await request(call);
    const form = response.status === 200 ? findForm(body, 'login-user-mallory') : undefined;
    if (form !== undefined) {
      const url = new URL(form.action, call.url);
      const headers = [['Content-Type', formType] as const, ['Origin', url.origin] as const];
      const sent = `${new URLSearchParams(form.fields)}`;
      [response, body] = await request({ method: 'POST', url: url.href, headers, body: sent });
      // on to the redirect that leaves the pages of the sign-in
      for (let next = onIn(response, url); next !== undefined; next = onIn(response, next))
        [response, body] = await request({ method: 'GET', url: next.href, headers: [] });
    }
    return { status: response.status, headers: [...response.headers].filter(isTold), body: body.slice(0, longestBody) };
  };
}

function onIn({ headers }: Response, url: URL): URL | undefined {
  const location = headers.get('Location') ?? '';
  const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  return next?.origin === url.origin && /\/oauth2\/(authorize|login)$/.test(next.pathname) ? next : undefined;
}

type Show = (label: string, value: string) => void;

const told = new Set(['location', 'content-type', 'www-authenticate', 'dpop-nonce']);

function isTold([name]: readonly [string, string]): boolean {
  return told.has(name.toLowerCase());
}

function callOf({ method, headers, body }: TypedRequest, url: string): HttpCall {
  const lines = linesOf(headers).flatMap((line): readonly (readonly [string, string])[] => {
    const [, name = '', value = ''] = /^([\w-]+):\s*([\x20-\x7e]*)$/.exec(line) ?? [];
    return name !== '' && isCopied(name, value) ? [[name, value]] : [];
  });
  if (method !== 'POST') return { method: 'GET', url, headers: lines };
  const hasType = lines.some(([name]) => name.toLowerCase() === 'content-type');
  if (hasType) return { method, url, headers: lines, body };
  return {
    method,
    url,
    headers: [...lines, ['Content-Type', formType]],
    body: linesOf(body).map(withoutAnd).join('&'),
  };
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).flatMap(line => line.trim() || []);
}

/** A form in lines may have the `&` at their ends. */
function withoutAnd(line: string): string {
  return line.replace(/^&+|&+$/g, '');
}

/** The address to which a page sends its visitor: of its refresh, or of its first link. */
function wayOut(html: string): string | undefined {
  const tags = [...html.matchAll(/<(?:meta|a)\b((?:"[^"]*"|[^">])*)>/gi)].map(([, rest = '']) => attributesOf(rest));
  const refresh = tags.find(each => each['http-equiv']?.toLowerCase() === 'refresh')?.content;
  return /url=(.*)$/i.exec(refresh ?? '')?.[1]?.trim() ?? tags.find(({ href }) => href !== undefined)?.href;
}
