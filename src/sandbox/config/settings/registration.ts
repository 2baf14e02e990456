import { filePath, jsonList, onOff, redirectUris, visibleText } from '../formats.ts';
import { clientList } from '../json-formats.ts';
import { setting, variable } from '../setting.ts';

const inConfigFile = 'from the configuration file';

/** Clients and users, and where they come from. */
export const registrationSettings = {
  configFile: variable(filePath, 'File with clients, users, scopes, collections and settings', {
    flag: 'config',
    defaultText: 'clients.config.* in the working directory, otherwise the built-in one',
  }),
  /** Reads this file again when it changes. No effect on the options of `createSandbox`. Default: true. */
  watch: setting(onOff, true, 'Reloads the configuration file when it changes', { isLive: true, isWhole: true }),
  clients: variable(clientList, 'All clients, as a JSON list', { secret: true, defaultText: inConfigFile }),
  users: variable(jsonList('users'), 'All users, as a JSON list', { secret: true, defaultText: inConfigFile }),
  frontendClientId: variable(visibleText, 'Renames the client frontend', { defaultText: 'frontend' }),
  frontendRedirectUris: variable(redirectUris, 'Replaces the redirect URIs of the client frontend', {
    defaultText: inConfigFile,
  }),
  sensorClientId: variable(visibleText, 'Renames the client sensor', { defaultText: 'sensor' }),
  sensorClientSecret: variable(visibleText, 'Replaces the secret of the client sensor', {
    secret: true,
    defaultText: inConfigFile,
  }),
  /** The initial access token that `registration: 'token'` requires (RFC 7591 §3). */
  registrationToken: setting(visibleText, undefined, 'Initial access token that REGISTRATION=token requires', {
    secret: true,
    defaultText: 'none',
    isLive: true,
  }),
};
