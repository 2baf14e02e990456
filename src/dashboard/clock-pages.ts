import type { Router } from 'express';
import type { ClockOwner, ClockReading, ClockState, Expiring, SandboxClock } from '../base/clock.ts';
import { duration, secondsIn } from '../base/text/duration.ts';
import { registeredClient, userPath } from './clients-and-users.ts';
import { changing } from './form.ts';
import { momentOf } from './moment.ts';
import type { PageContext } from './page.ts';

/** `/clock`: shows and moves the time of the sandbox. */
export function clockPages(router: Router, context: PageContext): void {
  router.get('/clock', async (req, res) => {
    const model = await clockPage(context, { done: context.noticesFor(req).join(' '), typed: '', problem: '' });
    await context.show(res, { template: 'clock', title: 'Clock', nav: 'clock', model });
  });

  router.post(
    '/clock',
    changing(context, async (form, _req, res) => {
      const before = context.time();
      const moved = await move(context.time, form);
      if ('problem' in moved) {
        const model = await clockPage(context, { done: '', typed: form.get('to') ?? '', problem: moved.problem });
        return context.show(res, { template: 'clock', title: 'Clock', nav: 'clock', model, status: 400 });
      }
      context.leadTo(res, '/dashboard/clock', sentences(moved, before));
    }),
  );
}

async function move(time: SandboxClock, form: URLSearchParams): Promise<ClockState | { readonly problem: string }> {
  const action = form.get('action') ?? '';
  const who = whoIn(form);
  try {
    if (action === 'expiry') return await time.toBeforeNextExpiry({ who });
    const past = form.get('past');
    if (past !== null) return await goPast(time, past);
    if (action === 'freeze' || action === 'resume' || action === 'reset') return time[action](who);
    const asked = action === 'set' ? typedMove(form.get('to') ?? '') : stepOf(action);
    if (asked === undefined) return { problem: notRead };
    return asked.kind === 'advance' ? time.advance(asked.seconds, who) : time.set(asked.to, who);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problem: action === 'expiry' ? nothingExpires : outOfRange };
  }
}

/** Moves both clocks to the second after a code, token or session expires. */
async function goPast(time: SandboxClock, tokenId: string): Promise<ClockState | { readonly problem: string }> {
  const found = (await time.next(Number.POSITIVE_INFINITY)).find(each => each.tokenId === tokenId);
  return found === undefined ? { problem: alreadyPast } : time.set(found.exp + 1, 'all');
}

function stepOf(action: string): Jump | undefined {
  return /^\+\d{1,6}$/.test(action) ? { kind: 'advance', seconds: Number(action) } : undefined;
}

function whoIn(form: URLSearchParams): ClockOwner {
  const who = form.get('who');
  return who === 'issuer' || who === 'api' ? who : 'all';
}

const notRead =
  'This is not a time. Enter 2026-11-20 16:27 (UTC), Unix seconds, or a step such as 5m, +2 h 30 min or -90 s.';
const outOfRange = 'This time is out of range. The clock accepts the years 1970 to 9999.';
const nothingExpires = 'No valid code, token or session expires after the next second. Get a token first.';

const alreadyPast = 'This is not valid any more, so there is no expiry to go past.';

function sentences(state: ClockState, before: number): readonly string[] {
  const now = clockChip(state);
  const shown = now === '' ? 'The clock shows the real time.' : `${now}.`;
  if (state.now >= before) return [shown];
  return [
    shown,
    'The clock went back, so existing tokens have iat and nbf in the future and may be refused as not yet valid.',
  ];
}

type Jump = { readonly kind: 'advance'; readonly seconds: number } | { readonly kind: 'set'; readonly to: number };

/** Reads `5m`, `+2 h 30 min`, `-90s`, `2026-11-20 16:27` (UTC by default) or Unix seconds; undefined for anything else. */
export function typedMove(typed: string): Jump | undefined {
  const text = typed.trim();
  if (/^\d{1,12}$/.test(text)) return { kind: 'set', to: Number(text) };
  const seconds = secondsIn(text);
  if (seconds !== undefined) return { kind: 'advance', seconds };
  const to = dateOf(text);
  return to === undefined ? undefined : { kind: 'set', to };
}

function dateOf(text: string): number | undefined {
  const date = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?) ?(?:(Z|[+-]\d{2}:\d{2})|UTC)?)?$/i.exec(text);
  if (date === null) return undefined;
  const [, day, at = '00:00', zone = 'Z'] = date;
  const milliseconds = Date.parse(`${day}T${at}${zone.toUpperCase()}`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}

interface Said {
  readonly done: string;
  readonly typed: string;
  readonly problem: string;
}

const owners: readonly { readonly value: ClockOwner; readonly label: string }[] = [
  { value: 'all', label: 'issuer and sample backend' },
  { value: 'issuer', label: 'issuer only' },
  { value: 'api', label: 'sample backend only' },
];

async function clockPage(context: PageContext, said: Said) {
  const { time, events } = context;
  const state = time.state();
  const { now } = state;
  const face = (reading: typeof state.api) => ({
    at: momentOf(reading.now, now),
    // `running, +2 h`; `frozen`
    words: [...(reading.frozen ? [] : ['running']), readingWords(reading)].filter(word => word !== '').join(', '),
  });
  const all = await time.next(Number.POSITIVE_INFINITY);
  const firsts = all.filter((each, index) => all.findIndex(({ tokenType }) => tokenType === each.tokenType) === index);
  return {
    sandbox: face(state),
    wall: momentOf(state.wall, now),
    // present if the sample backend has a different time
    ...(agree(state) ? {} : { api: face(state.api) }),
    next: firsts.map(each => ({
      tokenId: each.tokenId,
      words: expiringWords(context, each),
      exp: momentOf(each.exp, now),
      href:
        context.base + (each.tokenType === 'session' ? userPath(each.sub ?? '') : `/dashboard/tokens/${each.tokenId}`),
    })),
    // tokens and codes whose `iat` is later than the current clock
    fromFuture: events.latestIssued(Number.POSITIVE_INFINITY).filter(({ iat }) => iat > now).length,
    frozen: state.frozen,
    owners,
    ...said,
  };
}

const kindWords: Readonly<Record<string, string>> = {
  access: 'access token',
  code: 'authorization code',
  id: 'ID token',
  refresh: 'refresh token',
};

/** `access token of alice in Demo front end` */
function expiringWords(context: PageContext, { tokenType, sub, client_id }: Expiring): string {
  const kind = kindWords[tokenType] ?? tokenType;
  const user = sub === undefined ? '' : ` of ${sub}`;
  if (client_id === undefined) return `${kind}${user}`;
  return `${kind}${user} in ${registeredClient(context, client_id)?.client_name ?? client_id}`;
}

/** `+2 h`, `-3 min, frozen`, `frozen`; empty for the real time. */
function readingWords({ offset, frozen }: ClockReading): string {
  const moved = offset === 0 ? '' : `${offset > 0 ? '+' : '-'}${duration(Math.abs(offset))}`;
  return [moved, frozen ? 'frozen' : ''].filter(word => word !== '').join(', ');
}

/** The chip in the bar at the top: `Clock +2 h`, `API clock +30 s`; empty for the real time. */
export function clockChip(state: ClockState): string {
  const here = readingWords(state);
  if (agree(state)) return here === '' ? '' : `Clock ${here}`;
  const there = `API clock ${readingWords(state.api) || 'at real time'}`;
  return here === '' ? there : `Clock ${here}; ${there}`;
}

function agree({ offset, frozen, api }: ClockState): boolean {
  return offset === api.offset && frozen === api.frozen;
}
