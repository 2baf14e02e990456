import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** What was chosen on the login screen, and logins without a click. */
export const loginFixes = {
  automatic_login_user_unknown: {
    fix: 'Name a user by sub, username or e-mail address as clients.config.ts has it, or take the rule away: sandbox_login, login_hint with AUTO_LOGIN=hint, auto_login of the client, AUTO_LOGIN, nextLogin.',
    rfc: 'OIDC Core §3.1.2.6',
  },
  chosen_on_login_screen: {
    fix: 'Nothing to repair: this error was chosen on the login screen, or by nextLogin, to see what your app does with it.',
    rfc: 'OIDC Core §3.1.2.6',
  },
  next_login_invalid: {
    fix: 'Send a JSON object with sub, and what you want of client, claims and action. The answer says which member is wrong.',
    rfc: 'RFC 9457 §3',
  },
  state_not_checked: {
    fix: 'Your app redeemed a code that came with a state it never sent. Compare state with the one of the request before anything else, and drop the answer where they differ.',
    rfc: 'RFC 6749 §10.12',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
