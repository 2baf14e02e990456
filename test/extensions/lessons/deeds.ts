import { solverOf } from '../../../src/extensions/lessons/solvers.ts';
import { createParticipant } from '../../../src/extensions/lessons/trial/participant.ts';

/** Solves a task of a built-in lesson, or does its near miss of this name. */
export async function doTask(issuer: string, lesson: string, task: string, nearMiss?: string): Promise<void> {
  const own = (await solverOf(lesson))[task];
  const does = nearMiss === undefined ? own?.solve : own?.nearMisses[nearMiss]?.does;
  if (does === undefined) throw new Error(`${lesson}/${task} has no ${nearMiss ?? 'solver'}`);
  await does(createParticipant(issuer, lesson));
}
