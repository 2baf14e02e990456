import { featureSwitches } from '../feature-switches.ts';
import { filePath, jsonList, oneOf, onOff, redirectUris, seconds, visibleText } from '../formats.ts';
import { clientList, jsonMembers, publicKeys } from '../json-formats.ts';
import { presetChoice, presetHelp } from '../preset-choice.ts';
import { setting, variable } from '../setting.ts';
import { signingAlgs } from './signing-algs.ts';

/** Drop-in relaxations, for a sandbox in place of a mock that checks less. `oauth/drop-ins.ts` says what each one relaxes. */
export const relaxationSettings = {
  /** Accepts a `client_id` that is not registered, with any secret or none, any redirect URI and any scope. Default: false. */
  anyClient: setting(
    onOff,
    false,
    'Accepts a client_id that is not registered, with any secret or none, any redirect URI and any scope; CLIENTS=any is the same',
    { isLive: true, anyOf: 'CLIENTS' },
  ),
  /** Makes each path an issuer, at the first request for its metadata. Default: false. */
  anyIssuer: setting(
    onOff,
    false,
    'Makes each path an issuer, at the first request for its metadata; ISSUERS=any is the same',
    { isWhole: true, anyOf: 'ISSUERS' },
  ),
  /**
   * Takes the origin of the issuer from the request: `host` from its `Host`, `forwarded` from `X-Forwarded-Host` and
   * `X-Forwarded-Proto`, too. Default `off`.
   */
  issuerFromHost: setting(
    oneOf(['off', 'host', 'forwarded']),
    'off',
    'Takes the origin of the issuer from the Host of each request, or also from X-Forwarded-Host',
  ),
  /** Seconds for which a used refresh token gets the same answer again from the same client. Default 0. */
  refreshTokenGrace: setting(seconds(0, 300), 0, 'Time for which a used refresh token gets the same response again', {
    isLive: true,
  }),
  /** Members of the metadata to add or to replace; null removes one. Default: none. */
  metadataOverrides: setting(jsonMembers, {}, 'Members of the metadata to add or replace; null removes one', {
    defaultText: 'none',
    isLive: true,
  }),
  /** Adds `x5c`, `x5t` and `x5t#S256` to the keys of the JWK Set. Default: false. */
  keyCertificates: setting(onOff, false, 'Adds x5c, x5t and x5t#S256 to the keys of the JWK Set'),
  /** Public JWKs by audience, to which the access tokens for it are encrypted. Default: none. */
  accessTokenKeys: setting(publicKeys, {}, 'Public JWKs by audience, to which the access tokens for it are encrypted', {
    defaultText: 'none',
    isLive: true,
    isHidden: true,
  }),
  /** Accepts encrypted request objects, and publishes keys for them. Default: false. */
  requestEncryption: setting(onOff, false, 'Accepts encrypted request objects, and publishes keys for them'),
};

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

/** Contents and lifetimes of tokens. */
export const tokenSettings = {
  /** Algorithm that signs access tokens, and ID tokens of clients that register it. Default RS256. */
  signingAlg: setting(oneOf(signingAlgs), 'RS256', 'Algorithm that signs access tokens'),
  /** JWK Set file with private keys, so that signatures stay valid after a restart. Default: new keys at each start. */
  keysFile: setting(filePath, undefined, 'JWK Set file with private keys', {
    defaultText: 'new keys at each start',
  }),
  /**
   * Creates the same keys, codes, opaque tokens and ids at each start, for reproducible runs. With a frozen clock, JWTs
   * signed with RS256, RS384, RS512 or EdDSA are also equal byte for byte (signatures of ES256 and PS256 are random).
   * Keep it secret: the seed reveals all keys and tokens. Default: new keys at each start.
   */
  seed: setting(
    visibleText,
    undefined,
    'Creates the same keys, codes and IDs at each start, with a frozen clock the same RS256 and EdDSA tokens. Keep it secret: it reveals the keys',
    { defaultText: 'all new at each start', isHidden: true },
  ),
  /** `array` writes the `scope` claim as a JSON array, like Spring Authorization Server. Default `string` (RFC 9068). */
  scopeClaim: setting(oneOf(['string', 'array']), 'string', 'Form of the scope claim in access tokens', {
    isLive: true,
  }),
  /** Lifetime of authorization codes: seconds, or text such as `90s`, `5m`, `8h`, `1d`. Default 60. */
  codeLifetime: setting(seconds(1), 60, 'Lifetime of authorization codes', {
    isLive: true,
  }),
  /** Lifetime of access tokens in seconds, for clients without their own `access_token_lifetime`. Default 300. */
  accessTokenLifetime: setting(seconds(1), 300, 'Lifetime of access tokens, unless the client sets its own', {
    isLive: true,
  }),
  /** Seconds that `onToken` may take for one token, or text such as `5s`. Default 2. */
  onTokenTimeout: setting(seconds(1), 2, 'Time that onToken of the configuration may take for one token', {
    isLive: true,
  }),
  /** Default 300. */
  idTokenLifetime: setting(seconds(1), 300, 'Lifetime of ID tokens', { isLive: true }),
  /** Default 86400, a day. */
  refreshTokenLifetime: setting(seconds(1), 86_400, 'Lifetime of refresh tokens', { isLive: true }),
  /** Lifetime in seconds of device codes (RFC 8628) and of CIBA requests without `requested_expiry`. Default 300. */
  deviceCodeLifetime: setting(seconds(1), 300, 'Lifetime of device codes and CIBA requests', { isLive: true }),
  /** Seconds that devices and CIBA clients must wait between two polls. Default 5. */
  pollInterval: setting(seconds(1), 5, 'Time that a device or CIBA client must wait between polls', { isLive: true }),
  /** Lifetime in seconds of a pushed authorization request until the browser uses it. Default 60. */
  pushedRequestLifetime: setting(
    seconds(5, 600),
    60,
    'Lifetime of pushed authorization requests until the browser uses them',
    { isLive: true },
  ),
  /** Requires PKCE from confidential clients too. Public clients always need it. Default: false. */
  requirePkce: setting(onOff, false, 'Requires PKCE from confidential clients too', { isLive: true }),
};

/** Parts of the protocol that are offered. */
export const protocolSettings = {
  /**
   * The provider whose wire the issuer speaks, so that an app keeps the SDK of that provider: `'keycloak'`, or
   * `{ name: 'keycloak', realm: 'shop' }`. Absent: the standards as they are.
   */
  preset: setting(
    presetChoice([]), // `settingsWith` puts the providers in
    undefined,
    presetHelp([]),
    { defaultText: 'none' },
  ),
  /**
   * Turns single features of the protocol on or off: `{ device: false }`. All are on except those that OAuth 2.1
   * removed.
   */
  features: setting(featureSwitches, {}, 'Turns single features on or off: device=off,ciba=off', {
    defaultText: 'all on except password and implicit',
  }),
  /** `fapi2` enforces the FAPI 2.0 Security Profile. Default `none`. */
  profile: setting(oneOf(['none', 'fapi2']), 'none', 'Security profile that every client and request must meet'),
  /** Requires signed request objects (RFC 9101) from every client. Default: false. */
  requireSignedRequests: setting(onOff, false, 'Requires signed request objects from every client', { isLive: true }),
  /**
   * Whether a request for a `resource` that nobody configured is accepted. The configuration names the APIs in the audience of clients.
   * The profile `fapi2` refuses it anyway. Default `accept`.
   */
  unknownResources: setting(
    oneOf(['accept', 'refuse']),
    'accept',
    'Accepts or refuses a resource (RFC 8707) that is not in the audience of a client and not one of the sandbox',
    { isLive: true },
  ),
  /**
   * The `aud` that client assertions may have: `any` of the issuer, the token endpoint and the called endpoint (RFC 7523 §3), or the
   * `issuer` alone, as the draft that updates RFC 7523 and FAPI 2.0 demand. Default `any`.
   */
  assertionAudience: setting(
    oneOf(['any', 'issuer']),
    'any',
    'The aud of client assertions: any address of this server, or the issuer alone (draft-ietf-oauth-rfc7523bis)',
    { isLive: true },
  ),
  /** Requires a nonce from this server in each DPoP proof (RFC 9449 §8). Default: false. */
  dpopNonce: setting(onOff, false, 'Requires a nonce from this server in each DPoP proof', { isLive: true }),
  /**
   * Who may register clients: everyone (`open`), callers with the `registrationToken` (`token`), or no one (`off`).
   * Default `open`.
   */
  registration: setting(
    oneOf(['open', 'token', 'off']),
    'open',
    'Who may register clients: everyone (open), callers with REGISTRATION_TOKEN (token), or no one (off)',
  ),
};
