import * as v from 'valibot';
import { defined } from '../../../base/defined.ts';
import { nearestName } from '../../../base/text/nearest.ts';
import { isRecord } from '../../../base/text/record.ts';
import { checkedBy, cutFinding } from '../../config/large-value.ts';
import { unknownNames } from '../../config/many-problems.ts';
import type { Finding, Path } from '../../config/problem.ts';
import { problemsOf } from '../outcome.ts';
import { refusedInput } from '../refusal.ts';

/**
 * Checks the input of an operation against its schema and returns it.
 * @throws invalid_request that names every wrong member with the sent and the expected value
 */
export function checked(schema: v.GenericSchema | undefined, sent: unknown): unknown {
  const known = membersOf(schema ?? nothing);
  // for valibot a list is an object, too
  if (known !== undefined && !isRecord(sent)) throw refusedInput(problemsOf([noObject(sent)]));
  const { issues, output, isCut } = checkedBy(schema ?? nothing, sent);
  if (issues.length === 0) return output;
  const unknown = isRecord(sent) ? Object.keys(sent).filter(name => known?.includes(name) === false) : [];
  const others = issues.filter(issue => !isUnknownMember(issue) || issue.path?.length !== 1);
  // valibot ends at the first member it does not know
  const findings = [
    ...unknownNames(unknown, known ?? [], { expected: oneOfNames(known ?? []) }),
    ...others.map(issue => findingOf(issue, schema ?? nothing)),
    ...(isCut ? [cutFinding] : []),
  ];
  const seen = new Set<string>();
  throw refusedInput(problemsOf(findings).filter(({ member }) => !seen.has(member) && seen.add(member)));
}

function noObject(value: unknown): Finding {
  return { path: [], value, expected: 'an object' };
}

/** For operations without members. */
const nothing = v.strictObject({});

/** The names an object of this schema may have; undefined where that cannot be said. */
export function membersOf(schema: v.GenericSchema): readonly string[] | undefined {
  const entries = 'entries' in schema ? schema.entries : undefined;
  return isRecord(entries) ? Object.keys(entries) : undefined;
}

/** The names an object inside of another may have; none where that cannot be said. */
function membersAt(schema: unknown, [step, ...rest]: Path): readonly string[] {
  if (!isSchema(schema)) return [];
  if ('wrapped' in schema) return membersAt(schema.wrapped, step === undefined ? [] : [step, ...rest]);
  if (step === undefined) return membersOf(schema) ?? [];
  if (typeof step === 'number') return 'item' in schema ? membersAt(schema.item, rest) : [];
  const entries = 'entries' in schema ? schema.entries : undefined;
  return isRecord(entries) ? membersAt(entries[step], rest) : [];
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}

function findingOf(issue: v.BaseIssue<unknown>, schema: v.GenericSchema): Finding {
  const path: Path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  if (isUnknownMember(issue)) return unknownMember(path, membersAt(schema, path.slice(0, -1)));
  const [own = '', nearest] = issue.message.split('\t');
  const expected = own.startsWith('Invalid ') ? words(issue) : own;
  if (issue.input === undefined || own === 'a known name') {
    return { path, expected, ...defined({ nearest }) };
  }
  return { path, value: issue.input, expected, ...(nearest === undefined ? nearestOf(issue) : { nearest }) };
}

function isUnknownMember({ type, expected }: v.BaseIssue<unknown>): boolean {
  return type === 'strict_object' && expected === 'never';
}

function unknownMember(path: Path, known: readonly string[]): Finding {
  const name = String(path.at(-1));
  const nearest = nearestName(name, known);
  return { path, expected: oneOfNames(known), ...defined({ nearest }) };
}

function oneOfNames(known: readonly string[]): string {
  return known.length === 0 ? 'a known name' : `one of ${known.join(', ')}`;
}

/** The nearest allowed value, for a closed list of values. */
function nearestOf({ type, input, expected }: v.BaseIssue<unknown>): Pick<Finding, 'nearest'> {
  if (type !== 'picklist' || typeof input !== 'string' || expected === null) return {};
  const values = [...expected.matchAll(/"([^"]*)"/g)].map(([, value = '']) => value);
  const nearest = nearestName(input, values);
  return nearest === undefined ? {} : { nearest };
}

const plainWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  Object: 'an object',
  Array: 'a list',
};

function words({ expected, type, input }: v.BaseIssue<unknown>): string {
  if (input === undefined) return 'a value, because it is required';
  if (expected === null) return `a valid ${type.replaceAll('_', ' ')}`;
  return (
    plainWords[expected] ??
    expected
      .replace(/^\((.*)\)$/, '$1')
      .replaceAll(' | ', ' or ')
      .replaceAll('"', '')
  );
}
