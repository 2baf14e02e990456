import { backChannelGrants } from './back-channel-grants.ts';
import type { Grant } from './grant.ts';
import { loginGrants } from './login-grants.ts';

export const grants: readonly Grant[] = [...loginGrants, ...backChannelGrants];

/** Grants that OAuth 2.1 removed. */
export const removed: readonly Readonly<Record<'title' | 'why' | 'rfc', string>>[] = [
  {
    title: 'Password',
    why: 'The user gives the password to the application. It teaches users to type it anywhere, and a second factor is impossible.',
    rfc: 'RFC 9700 §2.4',
  },
  {
    title: 'Implicit',
    why: 'The token is in the address, where history, logs and other pages can read it. Use the code with PKCE instead.',
    rfc: 'RFC 9700 §2.1.2',
  },
];
