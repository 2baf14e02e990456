import { isRecord, jsonIn } from '../../../base/text/record.ts';
import { CommandFailure, type Given, isOn, type Outcome, textOf, type World } from '../../../client/cli/command.ts';
import { readText } from '../../../client/cli/out-file.ts';
import { resourceServer } from '../../report/api/resource-server.ts';
import type { Examination, ModuleResult } from '../examination.ts';
import type { ExamFailOn } from '../examination-formats.ts';
import { expectedFailuresIn, type KnownVerdicts } from '../results/expected-failures.ts';

/** How the exit code is decided. */
export interface FailRule {
  readonly failOn: ExamFailOn;
  /** The modules that failed or warned in the baseline. */
  readonly known: KnownVerdicts;
}

/** The exit code of a result, and what is said beside it. */
export function outcome({ modules }: Examination, { failOn, known }: FailRule, out: string): Outcome {
  const isBad = ({ verdict }: ModuleResult) => verdict === 'fail' || (failOn === 'warn' && verdict === 'warn');
  const bad = modules.filter(isBad);
  const fresh = bad.filter(({ id, verdict }) => known.get(id) !== 'fail' && known.get(id) !== verdict);
  const words = failOn === 'warn' ? 'failed or warned' : 'failed';
  const old = bad.length - fresh.length;
  const note = old === 0 ? '' : `; ${old} more as in the baseline`;
  if (fresh.length === 0)
    return { code: 0, out, note: old === 0 ? '' : `grantbox examine: nothing new ${words}${note}\n` };
  return {
    code: 1,
    out,
    note: `grantbox examine: ${fresh.length} ${fresh.length === 1 ? 'module' : 'modules'} ${words}${note}\n`,
  };
}

/**
 * The modules that `--baseline` accepts: those that failed or warned in an earlier result, or the expected failures of a file of the
 * OpenID Foundation's suite.
 * @throws CommandFailure for a file that is neither, or the result of another plan
 */
export function knownIn(given: Given, world: World): KnownVerdicts {
  const plan = textOf(given, 'plan') ?? (isOn(given, 'api') ? resourceServer.id : 'relying-party');
  const typed = textOf(given, 'baseline');
  if (typed === undefined) return new Map();
  const content = jsonIn(readText(typed, world, '--baseline: '));
  if (Array.isArray(content)) return expectedFailures(content, plan, typed);
  if (
    !isRecord(content) ||
    content.format !== 'grantbox-examination' ||
    content.plan !== plan ||
    !Array.isArray(content.modules)
  )
    throw new CommandFailure(
      `--baseline: ${typed} is not the result of the plan ${plan}`,
      1,
      `Write one with --plan ${plan} --json --output ${typed}.`,
    );
  const bad = content.modules.filter(isRecord).filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return new Map(bad.map(({ id }) => [String(id), 'fail']));
}

function expectedFailures(entries: readonly unknown[], plan: string, typed: string): KnownVerdicts {
  try {
    return expectedFailuresIn(entries, plan);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandFailure(`--baseline: ${typed} is no file of expected failures: ${error.message}`);
  }
}
