import { basename } from 'node:path';
import { beforeEach } from 'vitest';
import { notShared } from './of-one-process.ts';

/** The report names each test that is left out, with the reason. */
beforeEach(({ task, skip }) => {
  const reasons = notShared[basename(task.file.filepath, '.test.ts')] ?? {};
  const found = Object.keys(reasons).find(part => fullName(task).includes(part));
  if (found !== undefined) skip(reasons[found]);
});

interface Named {
  readonly name: string;
  readonly suite?: Named | undefined;
}

function fullName({ name, suite }: Named): string {
  return suite === undefined ? name : `${fullName(suite)} ${name}`;
}
