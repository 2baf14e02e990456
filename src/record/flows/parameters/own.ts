import { type Dictionary, section } from './entry.ts';

/** Form fields of the pages of this sandbox, its own parameters and those of providers. No standard defines them. */
export const ownParameters: Dictionary = section('', {
  sandbox_login: 'A parameter of this sandbox: the user who is signed in automatically.',
  organization: 'The organization that the user must be a member of, at a provider that has organizations.',
  'login sub': 'The user who was picked, or whose subject was typed.',
  'login username': 'The user name typed on the login page.',
  'login password': 'The typed password. A user without a configured password accepts any.',
  'login action': 'The pressed button: sign in, continue, or return an error.',
  'login claims': 'Claims set for this login only.',
  'login error': 'The error that the application receives instead of a code.',
  'login search': 'The search text on the login page.',
  'login keep': 'Whether the edited claims are kept for the next login.',
  'login complete': "Whether the edited claims replace all of the user's claims in this login.",
  'consent decision': 'The decision of the user: allow or deny.',
  'consent remember': 'Whether this server remembers the decision for the next login.',
  'consent sid': 'The login session the page belongs to.',
  'device_verification decision': 'The decision of the user: allow or deny.',
  'device_verification as': 'The user the page belongs to.',
  'approvals decision': 'The decision of the user: allow or deny.',
  'approvals request': 'The pending request that the user decides about.',
  'logout decision': 'The decision of the user: sign out or stay signed in.',
});
