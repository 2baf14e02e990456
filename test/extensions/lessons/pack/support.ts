import { newFolder } from '../../../support/new-folder.ts';

const text = `---
title: The printer logs in
minutes: 10
needs: curl
references: RFC 6749 §4.4
reviewed: 2026-11-23
---
A printer has no user.

## Task token: Get a token

Ask \`{{issuer}}/oauth2/token\`.

### Hint

Use \`-u\`.

## Quiz whose: Whose permission is it?

- [ ] A person's
- [x] The client's

No person took part.
`;

const code = `import type { Lesson } from 'grantbox/lessons';

export const lesson: Lesson = ({ seen }) => ({
  issuer: {
    clients: [
      {
        client_id: 'printer',
        client_secret: 'printer-secret',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['client_credentials'],
        scope: 'print',
      },
    ],
    scopes: { print: 'print pages' },
  },
  tasks: [{ id: 'token', checks: [seen({ type: 'token.issued', grant_type: 'client_credentials' })] }],
});
`;

const solve = `import type { LessonSolver } from 'grantbox/lessons';

const ask = (secret: string) => ({
  form: { grant_type: 'client_credentials' },
  headers: { Authorization: 'Basic ' + btoa('printer:' + secret) },
});

export const solver: LessonSolver = {
  token: {
    solve: async by => void (await by.call('/oauth2/token', ask('printer-secret'))),
    nearMisses: { 'a wrong secret': { does: async by => void (await by.call('/oauth2/token', ask('wrong'))) } },
  },
};
`;

/** The files of a lesson that nothing is wrong with. */
export const printer = { 'lesson.md': text, 'lesson.ts': code, 'solve.ts': solve };

/** A new folder with these lessons in its `lessons`. */
export function packFolder(lessons: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const all = Object.entries(lessons).flatMap(([name, files]) =>
    Object.entries(files).map(([file, content]) => [`lessons/${name}/${file}`, content]),
  );
  return newFolder(Object.fromEntries(all));
}
