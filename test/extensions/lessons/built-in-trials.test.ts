import { describe, expect, it } from 'vitest';
import { builtIn, labs } from '../../../src/extensions/lessons/built-in.ts';
import { checkLesson } from '../../../src/extensions/lessons/pack/check-lesson.ts';
import { solverOf } from '../../../src/extensions/lessons/solvers.ts';
import { type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { loadConfig } from '../../support/load-config.ts';
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

// the mystery is drawn by the program: it has a question of its own, and no mistake is given in it
describe.each(builtIn.filter(({ id }) => id !== 'mystery'))('lesson $id', ({ id, load }) => {
  it('has no problem that a lesson or a lab of a user may not have', async () => {
    const { lesson: content, text } = await load();
    const { derive } = await loadConfig({});
    const known = { all: builtIn.map(each => each.id), labs: labs.map(each => each.id) };
    expect((await checkLesson({ folder: id, id, text, content }, known, derive)).problems).toEqual([]);
  });
});

describe.each(builtIn)('lesson $id', ({ id }) => {
  it('has two near misses or more for each task', async () => {
    const few = Object.entries(await solverOf(id)).filter(([, { nearMisses }]) => Object.keys(nearMisses).length < 2);
    expect(few).toEqual([]);
  });
});
