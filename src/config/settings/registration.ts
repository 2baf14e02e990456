import { filePath, jsonList, listOf, onOff, redirectUris, visibleText } from '../formats.ts';
import { clientList } from '../json-formats.ts';
import { setting, variable } from '../setting.ts';

/** Clients and users, and where they come from. */
export const registrationSettings = {
  configFile: {
    ...setting(
      'Registration',
      '--config CONFIG_FILE',
      filePath,
      undefined,
      'File with clients, users, scopes, collections and settings',
      { defaultText: 'clients.config.* in the working directory, otherwise the built-in one' },
    ),
    inFile: false as const,
  },
  /** Files or folders with exports of other providers; their clients and users are added. Default: none. */
  import: setting(
    'Registration',
    '--import IMPORT',
    listOf(filePath, 'paths, separated by commas', 'list of paths', /\s*,\s*/),
    [],
    'Exports of other providers, such as Keycloak: files or folders with clients and users to add',
    { defaultText: 'none', isWhole: true },
  ),
  /** Reads this file again when it changes. No effect on the options of `createSandbox`. Default: true. */
  watch: setting('Registration', '--watch WATCH', onOff, true, 'Reloads the configuration file when it changes', {
    isLive: true,
    isWhole: true,
  }),
  /**
   * Adds the ready clients of the catalogue: one for each grant and each client authentication method. Default: false.
   */
  catalogue: setting(
    'Registration',
    '--catalogue CATALOGUE',
    onOff,
    false,
    'Adds the ready clients of docs/catalogue.md; a client of your own with the same id wins',
    { isLive: true },
  ),
  clients: variable({
    env: 'CLIENTS',
    format: clientList,
    secret: true,
    defaultText: 'from the configuration file',
    help: 'All clients, as a JSON list',
  }),
  users: variable({
    env: 'USERS',
    format: jsonList('users'),
    secret: true,
    defaultText: 'from the configuration file',
    help: 'All users, as a JSON list',
  }),
  frontendClientId: variable({
    env: 'FRONTEND_CLIENT_ID',
    format: visibleText,
    defaultText: 'frontend',
    help: 'Renames the client frontend',
  }),
  frontendRedirectUris: variable({
    env: 'FRONTEND_REDIRECT_URIS',
    format: redirectUris,
    defaultText: 'from the configuration file',
    help: 'Replaces the redirect URIs of the client frontend',
  }),
  sensorClientId: variable({
    env: 'SENSOR_CLIENT_ID',
    format: visibleText,
    defaultText: 'sensor',
    help: 'Renames the client sensor',
  }),
  sensorClientSecret: variable({
    env: 'SENSOR_CLIENT_SECRET',
    format: visibleText,
    secret: true,
    defaultText: 'from the configuration file',
    help: 'Replaces the secret of the client sensor',
  }),
};
