import * as v from 'valibot';
import type { SandboxClock } from '../../../../base/clock.ts';
import { defined } from '../../../../base/defined.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { described, optional, text } from '../../described.ts';
import { refusedInput } from '../../refusal.ts';
import { duration } from '../duration-schema.ts';
import { operation } from '../operation.ts';

const moment = v.number('a number of seconds');

const reading = {
  now: described(v.number(), 'Unix seconds'),
  offset: described(v.number(), 'Seconds ahead of the real time; negative if behind'),
  frozen: described(v.boolean(), 'True if the clock is frozen'),
};

const state = v.object({
  ...reading,
  wall: described(v.number(), 'The real time, in Unix seconds'),
  api: described(v.object(reading), 'The clock of the sample backend'),
  next: described(
    v.array(
      v.object({
        tokenId: text('The id of the code or token, `tok_…`, or the `sid` of the sign-in'),
        tokenType: v.picklist(['code', 'access', 'refresh', 'id', 'session']),
        exp: v.number(),
        client_id: v.optional(v.string()),
        sub: v.optional(v.string()),
      }),
    ),
    'Valid codes, tokens and sign-ins that expire next, soonest first, at most ten',
  ),
});

/** Exactly one of these is given. */
const moves = ['advance', 'set', 'beforeNextExpiry', 'reset'] as const;

const move = v.strictObject({
  advance: optional(duration, 'Move the clock forward by this time, or back if it is negative'),
  set: optional(moment, 'Set the clock to this time, in Unix seconds'),
  beforeNextExpiry: optional(
    duration,
    'Move the clock to this long before the next valid code, token or sign-in expires',
  ),
  reset: optional(v.literal(true, 'true'), 'Return to the real time, running'),
  freeze: optional(v.boolean('true or false'), '`true` freezes the clock at the new time; `false` lets it run'),
  who: optional(
    v.picklist(['all', 'issuer', 'api']),
    'The clock to move: `all` (the default), `issuer`, or the sample backend (`api`)',
  ),
});

type Move = v.InferOutput<typeof move>;

/** Reading and moving the clock. */
export const clockOperations = [
  operation({
    name: 'readClock',
    method: 'GET',
    path: '/clock',
    summary: 'Read the clocks of the issuer and the sample backend, and the next expiries',
    answers: { 200: { description: 'The clocks', schema: state } },
    run: async (_input, { clock }) => answerOf(clock),
  }),
  operation({
    name: 'moveClock',
    method: 'POST',
    path: '/clock',
    changes: true,
    summary: 'Move the clock, set it, or reset it; freeze it or let it run',
    body: move,
    answers: { 200: { description: 'The clocks after the change', schema: state } },
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
  if (named.length > 1) throw problem(named[1], named.join(' and '), `one of ${moves.join(', ')} at a time`);
  if (named.length === 0 && freeze === undefined) throw problem('', 'no change', `one of ${moves.join(', ')}, freeze`);
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
    throw problem(member, String(body[member]), expected);
  }
}

function problem(member: string | undefined, sent: string, expected: string) {
  return refusedInput([{ member: member ?? '', sent, expected }]);
}
