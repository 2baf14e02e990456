import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/text/record.ts';
import type { FactRow, FactVerdict } from './compare.ts';
import type { ProbeLogin } from './draft.ts';
import type { Facts } from './facts.ts';
import { readFile, SampleProblem } from './read-samples.ts';

/** The facts of a tenant with their verdicts, as a file beside the configuration. It has no token, no secret and no personal value. */
export interface TwinRecord {
  readonly facts: Facts;
  readonly verdicts: ReadonlyMap<string, FactVerdict>;
  readonly probe: ProbeLogin;
}

/** The text of the file. */
export function recordText(facts: Facts, rows: readonly FactRow[], probe: ProbeLogin): string {
  const verdicts = Object.fromEntries(
    rows.flatMap(({ fact, verdict }) => (verdict === 'same' ? [] : [[fact, verdict]])),
  );
  const about = 'Made by grantbox twin. grantbox twin --check compares a sandbox with it.';
  return `${JSON.stringify({ about, probe, facts: Object.fromEntries(facts), notSame: verdicts }, null, 2)}\n`;
}

/**
 * Reads the file again.
 * @throws SampleProblem
 */
export function readRecord(name: string, path: string): TwinRecord {
  const value = readFile(name, path);
  const { facts, notSame, probe } = isRecord(value) ? value : {};
  if (!isRecord(facts) || !isRecord(notSame) || !isRecord(probe))
    throw new SampleProblem(`${name} is no record of grantbox twin: it has no members facts, notSame and probe`);
  const verdicts = Object.entries(notSame).map(([fact, verdict]) => [fact, verdictOf(verdict)] as const);
  return { facts: new Map(Object.entries(facts)), verdicts: new Map(verdicts), probe: probeOf(probe) };
}

function verdictOf(value: unknown): FactVerdict {
  return value === 'cannot be' ? value : 'different';
}

function probeOf(members: Readonly<Record<string, unknown>>): ProbeLogin {
  const text = (name: string) => (typeof members[name] === 'string' ? members[name] : undefined);
  const named = {
    client: text('client'),
    user: text('user'),
    origin: text('origin'),
    service: text('service'),
    issuerPath: text('issuerPath'),
    resource: text('resource'),
  };
  return {
    scope: text('scope') ?? '',
    serviceScope: text('serviceScope') ?? '',
    nonce: members.nonce === true,
    ...defined(named),
  };
}
