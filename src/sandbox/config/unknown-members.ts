import { defined } from '../../base/defined.ts';
import type { Document } from './documents.ts';
import { unknownNames } from './many-problems.ts';
import { type ConfigProblem, toProblem } from './problem.ts';
import { registrationMembers } from './registration.ts';
import type { Setting } from './settings.ts';

/** The members of a document for the whole sandbox. */
export function wholeMembers(table: readonly Setting[]): readonly string[] {
  return [
    '$schema', // address of the schema of a JSON file, for editors
    ...registrationMembers,
    'issuers',
    ...table.filter(row => row.inFile).map(row => row.name),
  ];
}

/** Members of a document that are not among those that are known. */
export function unknownMembers(
  { name, content }: Pick<Document, 'name' | 'content'>,
  known: readonly string[],
  expected?: string,
): ConfigProblem[] {
  const unknown = Object.keys(content).filter(member => !known.includes(member));
  return unknownNames(unknown, known, defined({ expected })).map(finding => toProblem(name, finding));
}
