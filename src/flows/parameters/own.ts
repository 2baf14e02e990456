import { type Dictionary, section } from './entry.ts';

/** Fields of the pages of this sandbox, and what only it understands. No standard knows them. */
export const ownParameters: Dictionary = section('', {
  sandbox_login: 'Of this sandbox: who signs in, without a click.',
  'login sub': 'The user whose card was clicked, or whose subject was typed.',
  'login username': 'The name that was typed on the login page.',
  'login password': 'The password that was typed. Without one of its own, a user has any password.',
  'login action': 'What was pressed: sign in, go on as before, or an error in place of an answer.',
  'login claims': 'Claims that were set for this login only.',
  'login error': 'The error that the application gets in place of an answer.',
  'login search': 'The words that the page of many users was searched for.',
  'login keep': 'Whether what was typed is kept for the next login.',
  'login complete': 'Whether the claims given are all the user has in this login.',
  'consent decision': 'What the user pressed: allow or deny.',
  'consent remember': 'Whether this browser is asked again for the same.',
  'consent sid': 'The login the page was made for.',
  'device_verification decision': 'What the user pressed: allow or deny.',
  'device_verification as': 'The user the page was made for.',
  'approvals decision': 'What the user pressed: allow or deny.',
  'approvals request': 'Which of the waiting requests it is about.',
  'logout decision': 'What the user pressed: sign out or stay.',
});
