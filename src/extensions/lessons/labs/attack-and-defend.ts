import type { LessonSolver, Participant, TaskSolver } from '../solver.ts';
import { readProducts, redeemAtShop } from './lab-shop.ts';

async function attackDefended(by: Participant): Promise<void> {
  await by.defend(true);
  await by.attack();
}

interface LabDeeds {
  /** The first step of the attack, which alone proves nothing. */
  readonly first: string;
  /** An app that does nothing wrong, while the defence is off. */
  honest?(by: Participant): Promise<void>;
  /** A refused request, after the defence was on and is off again. */
  refused?(by: Participant): Promise<void>;
  /** The attack by hand. */
  readonly goal?: TaskSolver;
}

/** Solves a lab with its own buttons. The near misses have the switch in the wrong position, stop early, or do what is harmless. */
export function labSolver({ first, honest, refused, goal }: LabDeeds): LessonSolver {
  return {
    attack: {
      solve: by => by.attack(),
      nearMisses: {
        'the defence is on': { does: attackDefended, also: ['again'] },
        'one step of the attack': { does: by => by.attack(first) },
        ...(honest && { 'an honest application': { does: honest } }),
      },
    },
    again: {
      solve: attackDefended,
      nearMisses: {
        'the defence is off': { does: by => by.attack(), also: ['attack'] },
        'the defence is off again': {
          async does(by) {
            await by.defend(true);
            await by.defend(false);
            await refused?.(by);
            await by.attack();
          },
          also: ['attack'],
        },
        'one step of the attack': {
          async does(by) {
            await by.defend(true);
            await by.attack(first);
          },
        },
      },
    },
    ...(goal && {
      goal: {
        ...goal,
        nearMisses: {
          'the buttons of the steps': { does: by => by.attack(), also: ['attack'] },
          'the victim alone': { does: by => by.attack('victim') },
          ...goal.nearMisses,
        },
      },
    }),
  };
}

/** Reads the products with a code, like somebody with curl. */
export async function readBy(by: Participant, code: string, more: Readonly<Record<string, string>>): Promise<void> {
  const { access_token = '' } = await redeemAtShop(by, code, more);
  await readProducts(by, access_token);
}

/** The newest event of a type at an issuer, of those that `is` wants. */
export async function newest<Event>(
  issuer: string,
  type: string,
  is: (event: Event) => boolean = () => true,
): Promise<Event> {
  const response = await fetch(`${issuer}/_sandbox/events?type=${type}`);
  const { events }: { events: readonly Event[] } = await response.json();
  const last = events.findLast(is);
  if (last === undefined) throw new Error(`${issuer} has no event ${type}`);
  return last;
}

/** The code that the victim got last. */
export async function codeOfVictim({ issuer }: Participant): Promise<string> {
  return (await newest<{ readonly token: string }>(issuer, 'code.issued')).token;
}

/** The token of a type that the victim got for her last code, not by a refresh. */
export async function tokenOfVictim({ issuer }: Participant, tokenType: string): Promise<string> {
  type Issued = Readonly<Record<'token' | 'tokenId' | 'tokenType' | 'parentTokenId', string>>;
  const code = await newest<Issued>(issuer, 'code.issued');
  const isOfCode = (each: Issued) => each.tokenType === tokenType && each.parentTokenId === code.tokenId;
  return (await newest<Issued>(issuer, 'token.issued', isOfCode)).token;
}
