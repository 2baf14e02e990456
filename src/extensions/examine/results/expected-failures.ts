import { isRecord } from '../../../base/text/record.ts';
import type { Examination, ModuleResult } from '../examination.ts';
import { planList } from '../plan-list.ts';

// The files of expected failures of the OpenID Foundation's suite, as its run-test-plan.py reads them: a list of objects. The suite
// has one for each condition of a test, and the examiner has one verdict for the whole module.

/** Known modules by their id, each with the worst verdict that is no news. */
export type KnownVerdicts = ReadonlyMap<string, 'fail' | 'warn'>;

/** Writes the modules that failed or warned as such a file, with the name of the suite where a module has one. */
export function examinationAsExpectedFailures({ plan, modules }: Examination): string {
  const entries = modules.flatMap(module => {
    const { id, verdict, title, why } = module;
    if (verdict !== 'fail' && verdict !== 'warn') return [];
    return [
      {
        'test-name': testNameOf(module, plan),
        variant: '*',
        'configuration-filename': '*',
        'current-block': '*',
        condition: id,
        'expected-result': verdict === 'fail' ? 'failure' : 'warning',
        comment: `${title}. ${why}`,
      },
    ];
  });
  return `${JSON.stringify(entries, undefined, 4)}\n`;
}

/** A module of ours has a name that no test of the suite has. */
function testNameOf({ id, suite }: Pick<ModuleResult, 'id' | 'suite'>, plan: string): string {
  return suite ?? `grantbox-${plan}-${id}`;
}

/**
 * The modules of a plan that such a file names. An expected failure is also no news as a warning. Variant, configuration, block and
 * condition are not compared, because the examiner has none of them.
 * @throws TypeError that names the entry and what was expected
 */
export function expectedFailuresIn(entries: readonly unknown[], plan: string): KnownVerdicts {
  const modules = planList().find(({ id }) => id === plan)?.modules ?? [];
  const known = new Map<string, 'fail' | 'warn'>();
  for (const [index, entry] of entries.entries()) {
    const { pattern, verdict } = readEntry(entry, index + 1);
    for (const module of modules)
      if (pattern.test(testNameOf(module, plan)) && known.get(module.id) !== 'fail') known.set(module.id, verdict);
  }
  return known;
}

function readEntry(entry: unknown, number: number) {
  const { 'test-name': name, 'expected-result': result } = isRecord(entry) ? entry : {};
  if (typeof name !== 'string') throw new TypeError(`entry ${number} has no test-name`);
  if (result !== 'failure' && result !== 'warning')
    throw new TypeError(
      `entry ${number} has the expected-result ${JSON.stringify(result) ?? 'of nothing'}, expected "failure" or "warning"`,
    );
  return { pattern: patternOf(name), verdict: result === 'failure' ? ('fail' as const) : ('warn' as const) };
}

/** A name with the wildcards `*` and `?`. Stars in a row are one, so that no name takes long. */
function patternOf(name: string): RegExp {
  const escaped = name.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\*+/g, '.*').replaceAll('?', '.')}$`);
}
