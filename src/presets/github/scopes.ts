import type { ScopeForm } from '../../oauth/dialects/dialect-data.ts';

/** Scopes are separated by commas in answers. GitHub leaves unknown ones out, those of OpenID Connect among them. */
export const scopes: ScopeForm = {
  separator: ',',
  dropsUnknown: true,
  drops: ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'],
};
