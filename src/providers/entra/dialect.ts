import type { PresetDialect } from '../../sandbox/provider.ts';
import { forms } from './claims.ts';
import { errors, finishError } from './errors.ts';
import { factsOf } from './facts.ts';
import { graphPermissions } from './graph-permissions.ts';
import { principalName } from './ids.ts';
import { metadata } from './metadata.ts';
import { heard } from './scopes.ts';

/** The wire of a tenant. With the option `version`, it is that of the endpoints of version 1.0. */
export const dialect: PresetDialect = {
  identifier: '${issuer}/v2.0',
  otherIdentifiers: ['${issuer}/'],
  metadata,
  forms,
  facts: factsOf,
  heard,
  openScopes: graphPermissions,
  ownSectors: true,
  loginName: principalName,
  accessTokenType: 'JWT',
  redirectUriNeeded: true,
  errors,
  finishError,
};
