import { defined } from '../../base/defined.ts';
import type { Document } from './documents.ts';
import { unknownNames } from './many-problems.ts';
import { type ConfigProblem, toProblem } from './problem.ts';
import { registrationMembers } from './registration.ts';
import { settingList } from './settings.ts';

const memberNames: readonly string[] = [
  '$schema', // address of the schema of a JSON file, for editors
  ...registrationMembers,
  'issuers',
  ...settingList.filter(row => row.inFile).map(row => row.name),
];

/** Unknown members of a document; by default of one for the whole sandbox. */
export function unknownMembers(
  { name, content }: Pick<Document, 'name' | 'content'>,
  known = memberNames,
  expected?: string,
): ConfigProblem[] {
  const unknown = Object.keys(content).filter(member => !known.includes(member));
  return unknownNames(unknown, known, defined({ expected })).map(finding => toProblem(name, finding));
}
