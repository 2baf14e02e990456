import { filePath, jsonList, onOff, redirectUris, visibleText } from '../formats.ts';
import { setting, variable } from '../setting.ts';

/** Clients and users, and where they come from. */
export const registrationSettings = {
  configFile: {
    ...setting<string | undefined>(
      'Registration',
      '--config CONFIG_FILE',
      filePath,
      undefined,
      'File with clients, users, scopes, collections and settings',
      'clients.config.* in the working directory, else built in',
    ),
    inFile: false,
  },
  watch: setting(
    'Registration',
    '--watch WATCH',
    onOff,
    true,
    'Whether the configuration file is read again when it changes; where there is none, nothing is watched',
  ),
  clients: variable<readonly unknown[]>({
    env: 'CLIENTS',
    format: jsonList('clients'),
    secret: true,
    defaultText: 'those of the file',
    help: 'All clients, as a JSON list',
  }),
  users: variable<readonly unknown[]>({
    env: 'USERS',
    format: jsonList('users'),
    secret: true,
    defaultText: 'those of the file',
    help: 'All users, as a JSON list',
  }),
  frontendClientId: variable<string>({
    env: 'FRONTEND_CLIENT_ID',
    format: visibleText,
    defaultText: 'frontend',
    help: 'Renames the client frontend',
  }),
  frontendRedirectUris: variable<readonly string[]>({
    env: 'FRONTEND_REDIRECT_URIS',
    format: redirectUris,
    defaultText: 'those of the file',
    help: 'Replaces the redirect URIs of the client frontend',
  }),
  sensorClientId: variable<string>({
    env: 'SENSOR_CLIENT_ID',
    format: visibleText,
    defaultText: 'sensor',
    help: 'Renames the client sensor',
  }),
  sensorClientSecret: variable<string>({
    env: 'SENSOR_CLIENT_SECRET',
    format: visibleText,
    secret: true,
    defaultText: 'that of the file',
    help: 'Replaces the secret of the client sensor',
  }),
};
