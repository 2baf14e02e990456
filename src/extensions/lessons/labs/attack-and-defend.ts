import type { LessonSolver, Participant } from '../solver.ts';

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
}

/** Solves a lab with its own buttons. The near misses have the switch in the wrong position, stop early, or do what is harmless. */
export function labSolver({ first, honest, refused }: LabDeeds): LessonSolver {
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
  };
}
