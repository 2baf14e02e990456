import { describe, expect, it } from 'vitest';
import { builtIn } from '../../../src/extensions/lessons/built-in.ts';
import { strangersIn } from '../../../src/extensions/lessons/pack/check-tasks.ts';
import { solverOf } from '../../../src/extensions/lessons/solvers.ts';
import { type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { newFolder } from '../../support/new-folder.ts';

it('each task of each built-in lesson is done by its solver, and none by a near miss of any task', async () => {
  observes('command lessons --built-in');
  const { code, out, note } = await type(['lessons', '--test', '--built-in'], { cwd: newFolder() });
  const lines = out.trim().split('\n');
  expect(lines.filter(line => !line.startsWith('ok '))).toEqual([]);
  expect([code, note]).toEqual([0, '']);
  const tasks = await Promise.all(
    builtIn.map(async ({ id, load }) => (await load()).lesson.tasks.map(task => `${id} / ${task.id}`)),
  );
  expect(lines.map(line => line.replace('ok      ', ''))).toEqual(tasks.flat());
});

describe.each(builtIn)('lesson $id', ({ id, load }) => {
  it('has no sentence that is never shown', async () => {
    const { lesson } = await load();
    expect(lesson.tasks.flatMap(strangersIn)).toEqual([]);
  });

  it('has two near misses or more for each task', async () => {
    const few = Object.entries(await solverOf(id)).filter(([, { nearMisses }]) => Object.keys(nearMisses).length < 2);
    expect(few).toEqual([]);
  });
});
