import type { Router } from 'express';
import type { ClockOwner, ClockState } from '../../base/clock/moved-clock.ts';
import type { SandboxClock } from '../../base/clock/sandbox-clock.ts';
import type { Desk } from '../desk.ts';
import { formOf } from '../form.ts';
import { clockPage } from './clock-page.ts';
import { clockChip } from './clock-words.ts';
import { type Jump, typedMove } from './typed-move.ts';

/** `/clock`: shows and moves the time of the sandbox. */
export function clockPages(router: Router, desk: Desk): void {
  router.get('/clock', async (req, res) => {
    const model = await clockPage(desk, { done: desk.noticesFor(req).join(' '), typed: '', fault: '' });
    await desk.show(res, { template: 'clock', title: 'Clock', nav: 'clock', model });
  });

  router.post('/clock', async (req, res) => {
    const form = await formOf(req);
    const before = desk.time();
    const moved = await move(desk.time, form);
    if ('fault' in moved) {
      const model = await clockPage(desk, { done: '', typed: form.get('to') ?? '', fault: moved.fault });
      return desk.show(res, { template: 'clock', title: 'Clock', nav: 'clock', model, status: 400 });
    }
    desk.leadTo(res, '/dashboard/clock', sentences(moved, before));
  });
}

/** The action of each button; a number is a step in seconds. */
async function move(time: SandboxClock, form: URLSearchParams): Promise<ClockState | { readonly fault: string }> {
  const action = form.get('action') ?? '';
  const who = whoIn(form);
  try {
    if (action === 'expiry') return await time.toBeforeNextExpiry({ who });
    if (action === 'freeze' || action === 'resume' || action === 'reset') return time[action](who);
    const asked = action === 'set' ? typedMove(form.get('to') ?? '') : stepOf(action);
    if (asked === undefined) return { fault: notRead };
    return asked.kind === 'advance' ? time.advance(asked.seconds, who) : time.set(asked.to, who);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { fault: action === 'expiry' ? nothingExpires : outOfRange };
  }
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

function sentences(state: ClockState, before: number): readonly string[] {
  const now = clockChip(state);
  const shown = now === '' ? 'The clock shows the real time.' : `${now}.`;
  if (state.now >= before) return [shown];
  return [
    shown,
    'The clock went back, so existing tokens have iat and nbf in the future and may be refused as not yet valid.',
  ];
}
