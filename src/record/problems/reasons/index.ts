import type { Fix, ReasonEntry } from '../entry.ts';
import type { RefusalReason } from '../known.ts';
import { accessTokenEntries } from './access-token.ts';
import { apiRequestEntries, authorityEntries } from './api.ts';
import { authorizeEntries } from './authorize.ts';
import { bearerHeaderEntries } from './bearer-header.ts';
import { clientEntries } from './client.ts';
import { certificateEntries, clientAssertionEntries } from './client-proof.ts';
import { codeEntries } from './code.ts';
import { controlEntries } from './control.ts';
import { decisionEntries } from './decision.ts';
import { doorEntries } from './door.ts';
import { dpopEntries } from './dpop.ts';
import { exchangeEntries } from './exchange.ts';
import { loginEntries, logoutEntries } from './login.ts';
import { pkceEntries } from './pkce.ts';
import { providerEntries } from './provider.ts';
import { redirectUriEntries } from './redirect-uri.ts';
import { refreshEntries } from './refresh.ts';
import { registrationEntries } from './registration.ts';
import { requestObjectEntries } from './request-object.ts';
import { scopeEntries } from './scope.ts';
import { tokenRequestEntries } from './token-request.ts';

/** One entry for each reason. A reason without an entry does not compile. */
export const entries: Readonly<Record<RefusalReason, ReasonEntry>> = {
  ...accessTokenEntries,
  ...apiRequestEntries,
  ...authorityEntries,
  ...authorizeEntries,
  ...bearerHeaderEntries,
  ...certificateEntries,
  ...clientEntries,
  ...clientAssertionEntries,
  ...codeEntries,
  ...controlEntries,
  ...decisionEntries,
  ...doorEntries,
  ...dpopEntries,
  ...exchangeEntries,
  ...loginEntries,
  ...logoutEntries,
  ...pkceEntries,
  ...providerEntries,
  ...redirectUriEntries,
  ...refreshEntries,
  ...registrationEntries,
  ...requestObjectEntries,
  ...scopeEntries,
  ...tokenRequestEntries,
};

/** Looks up the explanation of a reason; undefined for an unknown reason. */
export function entryFor(reason: string): ReasonEntry | undefined {
  return Object.hasOwn(entries, reason) ? entries[reason as RefusalReason] : undefined;
}

/** Looks up the fix of a reason; undefined for an unknown reason. */
export function fixFor(reason: string): Fix | undefined {
  const entry = entryFor(reason);
  return entry === undefined ? undefined : { fix: entry.fix, rfc: entry.rfc };
}
