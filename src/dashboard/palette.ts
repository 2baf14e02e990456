import type { Router } from 'express';
import type { EventLog, IssuedEvent } from '../base/events/event-log.ts';
import { displayName } from '../protocol/users/user.ts';
import { flowKindWords } from '../record/flows/flow.ts';
import { stateOf } from '../record/flows/flow-state.ts';
import { createStatusOf, tokenTypeOf } from '../record/flows/token-status.ts';
import { demoClient } from './clients-and-users.ts';
import { changing, pathBack } from './form.ts';
import type { PageContext } from './page.ts';

/** A row of the palette on Ctrl K. Paths are below `/dashboard`. */
export interface PaletteEntry {
  readonly kind: string;
  readonly name: string;
  /** Where it leads. */
  readonly path?: string;
  /** A form that it sends. */
  readonly send?: { readonly path: string; readonly fields: Readonly<Record<string, string>> };
  /** The text behind this path is copied. */
  readonly copies?: string;
  /** Why nothing happens. */
  readonly refused?: string;
}

/** The routes of the palette: its entries, and what only it does. */
export function palettePages(router: Router, context: PageContext): void {
  router.get('/api/v1/places', (_req, res) => {
    res.json([...actions(context), ...places(context)]);
  });

  router.post(
    '/actions/expire-access-tokens',
    changing(context, async (form, _req, res) => {
      const { events, clock, control, base } = context;
      const statusOf = createStatusOf(events, clock());
      const valid = accessTokens(events).filter(event => statusOf(event) === 'valid');
      for (const { tokenId } of valid) await control.expireToken(tokenId);
      context.tell(res, pathBack(base, form), [expiredWords(valid.length)]);
    }),
  );
}

function accessTokens(events: EventLog): readonly IssuedEvent[] {
  return events.latestIssued(Number.POSITIVE_INFINITY).filter(event => tokenTypeOf(event) === 'access');
}

function expiredWords(count: number): string {
  if (count === 0) return 'No access token was valid, so none was expired.';
  const expired = count === 1 ? '1 access token is expired' : `${count} access tokens are expired`;
  return `${expired}: this server and the sample API refuse ${count === 1 ? 'it' : 'them'}.`;
}

const mostMinted = 50;

function actions(context: PageContext): readonly PaletteEntry[] {
  const { events, problems } = context;
  const newest = events.latestIssued(Number.POSITIVE_INFINITY).find(event => tokenTypeOf(event) === 'access');
  const [problem] = problems.latest(1);
  const kind = 'action';
  return [
    ...(newest === undefined
      ? []
      : [{ kind, name: 'Copy newest access token', copies: `/tokens/${newest.tokenId}/copy/token` }]),
    ...(problem === undefined ? [] : [{ kind, name: 'Explain newest problem', path: `/problems/${problem.id}` }]),
    ...(context.opened === undefined ? changes(context) : []),
  ];
}

/** Actions that change something. Where the dashboard only shows, each says so and does nothing. */
function changes(context: PageContext): readonly PaletteEntry[] {
  const { registered, accounts, mint, access } = context;
  const client = demoClient(context)?.client_id ?? [...registered()][0]?.client_id ?? '';
  const minted = mint === undefined ? [] : [...accounts()].slice(0, mostMinted);
  const sent = (name: string, path: string, fields: Readonly<Record<string, string>> = {}) => ({
    name,
    send: { path, fields },
  });
  const fail = (times: string) => ({ preset: 'unavailable', times });
  const all = [
    ...minted.map(({ sub }) => sent(`Mint a token for ${sub}`, '/tokens', { client, user: sub })),
    sent('Fail the token endpoint once', '/faults', fail('1')),
    sent('Fail the token endpoint twice', '/faults', fail('2')),
    sent('Expire all access tokens', '/actions/expire-access-tokens'),
    { name: 'Reset everything…', path: '/settings/reset' },
  ];
  if (access === 'on') return all.map(each => ({ kind: 'action', ...each }));
  return all.map(({ name }) => ({ kind: 'action', name, refused: 'refused: read-only' }));
}

const mostOfConfiguration = 500;
const mostOfHistory = 20;

/** The clients and users, at most 500 each, and the newest 20 flows and tokens. */
function places({ registered, accounts, flows, events }: PageContext): readonly PaletteEntry[] {
  return [
    ...[...registered()].slice(0, mostOfConfiguration).map(({ client_id, client_name }) => ({
      kind: 'client',
      name: named(client_id, client_name),
      path: `/clients/${encodeURIComponent(client_id)}`,
    })),
    ...[...accounts()].slice(0, mostOfConfiguration).map(user => ({
      kind: 'user',
      name: named(user.sub, displayName(user)),
      path: `/users/${encodeURIComponent(user.sub)}`,
    })),
    ...flows.latest(mostOfHistory).map(flow => ({
      kind: 'flow',
      name: named(flowKindWords[flow.kind], flow.client_id, flow.sub, stateOf(flow).words),
      path: `/flows/${flow.id}`,
    })),
    ...events.latestIssued(mostOfHistory).map(event => ({
      kind: event.type === 'code.issued' ? 'code' : `${event.tokenType} token`,
      name: named(event.client_id, event.sub, event.tokenId),
      path: `/tokens/${event.tokenId}`,
    })),
  ];
}

function named(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}
