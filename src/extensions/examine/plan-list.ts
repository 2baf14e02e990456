import { resourceServer } from '../report/api/resource-server.ts';
import type { ExamModule } from './exam-module.ts';
import { plans } from './plans/index.ts';

/** A plan with its modules, as data. */
export interface ListedPlan {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly modules: readonly Listed[];
}

type Listed = Pick<ExamModule, 'id' | 'title' | 'references' | 'gain' | 'right'> & Partial<Pick<ExamModule, 'suite'>>;

/** All plans with their modules: `--list --json`, and docs/examine.md. */
export function planList(): readonly ListedPlan[] {
  return [...plans, resourceServer].map(({ id, title, about, modules }) => ({
    id,
    title,
    about,
    modules: modules.map(wordsOf),
  }));
}

function wordsOf({ id, suite, title, references, gain, right }: Listed): Listed {
  return { id, ...(suite === undefined ? {} : { suite }), title, references, gain, right };
}

/** The same for a terminal. */
export function planListAsText(): string {
  return planList()
    .flatMap(({ id, about, modules }) => {
      const width = Math.max(...modules.map(module => module.id.length));
      const rows = modules.map(
        module => `  ${module.id.padEnd(width)}  ${module.title} (${module.references.join(', ')})`,
      );
      return [`${id}: ${about} ${modules.length} modules.`, ...rows, ''];
    })
    .join('\n');
}
