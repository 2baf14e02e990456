import type { Variant } from './init-variants.ts';

/** The text of a `clients.config.ts` with a client for each of the variants, users and a sample API. */
export function configFileText(chosen: readonly Variant[]): string {
  return `${opening.join('\n')}
  // Client metadata by its names in RFC 7591.
  clients: [
${chosen.map(clientText).join('\n')}
  ],

${users}

${api}

  // Settings, by the names of the flags in camelCase; a flag or a variable goes before them.
  // accessTokenLifetime: '30s', // short, to see renewals at work
  // consent: true, // asks users what a client may do
  // autoLogin: 'alice', // signs in without a click
} satisfies SandboxConfig;
`;
}

const opening = [
  '// The registration of a Grantbox sandbox: who may ask for tokens, who can sign in, and what its sample API holds.',
  '// Start grantbox in this folder: the file is found by its name. What is wrong with it is told then, all at once.',
  '// It is read again whenever you save it.',
  '// All members of the registration, and all settings: the README of grantbox, or completion in your editor by this type.',
  "import type { SandboxConfig } from 'grantbox';",
  '',
  'export default {',
];

function clientText({ title, application, client, leadIn = 'It is configured like this' }: Variant): string {
  const comment = [`${title}. ${leadIn}:`, '', ...application.split('\n')];
  const lines = [...comment.map(line => `// ${line}`.trimEnd())].map(line => `    ${line}`);
  return [...lines, '    {', indent(client, 6), '    },'].join('\n');
}

function indent(text: string, by: number): string {
  return text
    .split('\n')
    .map(line => (line === '' ? '' : ' '.repeat(by) + line))
    .join('\n');
}

const users = `  // People on the login screen. Any password is accepted; a \`password\` here demands that one, with LOGIN_MODE=password.
  users: [
    {
      sub: 'alice',
      // at UserInfo, and in the ID Token where a client has id_token_claims: 'all'; released by scope
      claims: {
        name: 'Alice Archer',
        given_name: 'Alice',
        family_name: 'Archer',
        preferred_username: 'alice',
        email: 'alice@example.com',
        email_verified: true,
      },
      // in each access token of hers
      access_token_claims: { roles: ['admin'] },
    },
    {
      sub: 'bob',
      claims: {
        name: 'Bob Brewer',
        given_name: 'Bob',
        family_name: 'Brewer',
        preferred_username: 'bob',
        email: 'bob@example.com',
        email_verified: false,
      },
      access_token_claims: { roles: [] },
    },
  ],`;

const api = `  // In words for the consent screen.
  scopes: {
    'tasks:read': 'see your tasks',
    'tasks:write': 'add, change and delete tasks',
  },

  // A sample API at /api/tasks, so that there is something to call; it verifies tokens as your own would.
  collections: {
    tasks: {
      readScope: 'tasks:read',
      writeScope: 'tasks:write',
      fields: { title: 'string', done: 'boolean' },
      seed: [
        { title: 'Write the login page', done: true },
        { title: 'Renew the token before it expires', done: false },
      ],
    },
  },`;
