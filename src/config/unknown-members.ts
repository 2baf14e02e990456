import { nearestName } from '../oauth/nearest.ts';
import type { Document } from './documents.ts';
import { type Problem, toProblem } from './problem.ts';
import { registrationMembers } from './registration.ts';
import { settingList } from './settings.ts';

const memberNames: readonly string[] = [
  ...registrationMembers,
  'issuers',
  ...settingList.filter(row => row.inFile).map(row => row.name),
];

/** Of the document as a whole. */
export function unknownMembers({ name, content }: Document): Problem[] {
  return Object.keys(content)
    .filter(member => !memberNames.includes(member))
    .map(member =>
      toProblem(name, { path: [member], expected: 'a known name', nearest: nearestName(member, memberNames) }),
    );
}
