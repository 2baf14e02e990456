import type { Entry } from '../entry.ts';
import type { RefusalReason } from '../refusal-reason.ts';
import { accessTokenEntries } from './access-token.ts';
import { apiRequestEntries } from './api-request.ts';
import { authorityEntries } from './authority.ts';
import { authorizeEntries } from './authorize.ts';
import { certificateEntries } from './certificate.ts';
import { clientEntries } from './client.ts';
import { codeEntries } from './code.ts';
import { controlEntries } from './control.ts';
import { decisionEntries } from './decision.ts';
import { doorEntries } from './door.ts';
import { dpopEntries } from './dpop.ts';
import { exchangeEntries } from './exchange.ts';
import { loginEntries } from './login.ts';
import { logoutEntries } from './logout.ts';
import { pkceEntries } from './pkce.ts';
import { redirectUriEntries } from './redirect-uri.ts';
import { refreshEntries } from './refresh.ts';
import { registrationEntries } from './registration.ts';
import { scopeEntries } from './scope.ts';
import { assertionEntries, requestEntries } from './signed-requests.ts';
import { tokenRequestEntries } from './token-request.ts';

/** One entry per reason; the compiler demands a new one when a reason is added. */
export const entries: Readonly<Record<RefusalReason, Entry>> = {
  ...accessTokenEntries,
  ...apiRequestEntries,
  ...assertionEntries,
  ...authorityEntries,
  ...authorizeEntries,
  ...certificateEntries,
  ...clientEntries,
  ...codeEntries,
  ...controlEntries,
  ...decisionEntries,
  ...doorEntries,
  ...dpopEntries,
  ...exchangeEntries,
  ...loginEntries,
  ...logoutEntries,
  ...pkceEntries,
  ...redirectUriEntries,
  ...refreshEntries,
  ...registrationEntries,
  ...requestEntries,
  ...scopeEntries,
  ...tokenRequestEntries,
};
