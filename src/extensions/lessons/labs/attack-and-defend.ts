import type { LessonSolver, Participant } from '../solver.ts';

async function attackDefended(by: Participant): Promise<void> {
  await by.defend(true);
  await by.attack();
}

/** Attacks with the switch in the wrong position. */
const wrongSwitch = { attack: attackDefended, again: (by: Participant) => by.attack() };

/** Requests that look like those of a lab and prove nothing. */
interface Harmless {
  /** An application that does nothing wrong, while the defence is off. */
  honest?(by: Participant): Promise<void>;
  /** A refused request, after the defence was on and is off again. */
  refused?(by: Participant): Promise<void>;
}

/** Solves a lab with its own buttons. The near misses attack with the switch in the wrong position, and do what is harmless. */
export function labSolver({ honest, refused }: Harmless): LessonSolver {
  return {
    attack: {
      solve: by => by.attack(),
      async nearMiss(by) {
        await honest?.(by);
        await wrongSwitch.attack(by);
      },
    },
    again: {
      solve: attackDefended,
      async nearMiss(by) {
        await wrongSwitch.again(by);
        await by.defend(true);
        await by.defend(false);
        await refused?.(by);
        await by.attack();
      },
    },
  };
}

export const attackAndDefend = labSolver({});
