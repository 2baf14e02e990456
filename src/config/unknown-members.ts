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

/** Unknown members of the whole document. */
export function unknownMembers({ name, content }: Document): ConfigProblem[] {
  const unknown = Object.keys(content).filter(member => !memberNames.includes(member));
  return unknownNames(unknown, memberNames).map(finding => toProblem(name, finding));
}
