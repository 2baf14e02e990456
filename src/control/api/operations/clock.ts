import * as v from 'valibot';
import type { SandboxClock } from '../../../clock/sandbox-clock.ts';
import { defined } from '../../../defined.ts';
import { jsonAnswer } from '../../../http/answer.ts';
import { described, optional, text } from '../../described.ts';
import { duration } from '../duration-schema.ts';
import { operation } from '../operation.ts';
import { refusedInput } from '../refusal.ts';

const moment = v.number('a number of seconds');

const reading = {
  now: described(v.number(), 'Unix seconds'),
  offset: described(v.number(), 'Seconds ahead of the real time; negative: behind it'),
  frozen: described(v.boolean(), 'Whether it stands still'),
};

const state = v.object({
  ...reading,
  wall: described(v.number(), 'The real time, in Unix seconds'),
  api: described(v.object(reading), 'What the clock of the sample backend shows'),
  next: described(
    v.array(
      v.object({
        tokenId: text('`tok_…`; of a login its `sid`'),
        tokenType: v.picklist(['code', 'access', 'refresh', 'id', 'session']),
        exp: v.number(),
        client_id: v.optional(v.string()),
        sub: v.optional(v.string()),
      }),
    ),
    'Codes, tokens and logins that are good now and expire next, the first of them first; at most ten',
  ),
});

/** Exactly one of these is given. */
const moves = ['advance', 'set', 'beforeNextExpiry', 'reset'] as const;

const move = v.strictObject({
  advance: optional(duration, 'So much on, or back where it is negative'),
  set: optional(moment, 'To a moment, in Unix seconds'),
  beforeNextExpiry: optional(duration, 'To so much before the next code, token or login expires that is good now'),
  reset: optional(v.literal(true, 'true'), 'Back to the real time, which goes on'),
  freeze: optional(v.boolean('true or false'), '`true`: it stands still from there; `false`: it goes on'),
  who: optional(
    v.picklist(['all', 'issuer', 'api']),
    'Whose: `all` (both, the default), the `issuer` alone, or the sample backend (`api`) alone',
  ),
});

type Move = v.InferOutput<typeof move>;

/** Reading and moving the clock. */
export const clockOperations = [
  operation({
    name: 'readClock',
    method: 'GET',
    path: '/clock',
    summary: 'What time it is here and at the sample backend, and what expires next',
    answers: { 200: { description: 'What the clocks show', schema: state } },
    run: async (_input, { clock }) => answerOf(clock),
  }),
  operation({
    name: 'moveClock',
    method: 'POST',
    path: '/clock',
    summary: 'Move the time: by, to, to just before the next expiry, or back; and let it stand still, or go on',
    body: move,
    answers: { 200: { description: 'What the clocks show from now on', schema: state } },
    async run({ body }, { clock }) {
      await apply(clock, body);
      return answerOf(clock);
    },
  }),
];

async function answerOf(clock: SandboxClock) {
  return jsonAnswer(200, { ...clock.state(), next: await clock.next() });
}

/** Checked as a whole first: what is refused has moved nothing. */
async function apply(clock: SandboxClock, body: Move): Promise<void> {
  const { advance, set, beforeNextExpiry, reset, freeze, who } = body;
  const named = moves.filter(name => body[name] !== undefined);
  if (named.length > 1) throw fault(named[1], named.join(' and '), `one of ${moves.join(', ')} at a time`);
  if (named.length === 0 && freeze === undefined)
    throw fault('', 'nothing to do', `one of ${moves.join(', ')}, freeze`);
  await refusing(named[0] ?? 'freeze', body, async () => {
    if (advance !== undefined) clock.advance(advance, who);
    if (set !== undefined) clock.set(set, who);
    if (beforeNextExpiry !== undefined)
      await clock.toBeforeNextExpiry({ seconds: beforeNextExpiry, ...defined({ who }) });
    if (reset) clock.reset(who);
  });
  if (freeze === true) clock.freeze(who);
  if (freeze === false) clock.resume(who);
}

async function refusing(member: keyof Move, body: Move, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const [, expected = error.message] = /expected (.*?)(?:, found .*)?$/.exec(error.message) ?? [];
    throw fault(member, String(body[member]), expected);
  }
}

function fault(member: string | undefined, sent: string, expected: string) {
  return refusedInput([{ member: member ?? '', sent, expected }]);
}
