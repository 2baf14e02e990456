import type { ScopeForm } from '../../protocol/dialects/dialect-data.ts';
import { identityScopes } from '../../protocol/scope.ts';

/** Scopes are separated by commas in answers. GitHub leaves unknown ones out, those of OpenID Connect among them. */
export const scopes: ScopeForm = { separator: ',', dropsUnknown: true, drops: identityScopes };
