// The line to mend, by library and module. Each name of an option or a function is one that the documentation or the source of that
// library has; modules that are not here keep their general sentence.

interface Line {
  /** The ids of modules. */
  readonly modules: readonly string[];
  /** A sentence. */
  readonly mend: string;
}

const claims = [
  ...['invalid-iss', 'missing-iss', 'missing-sub', 'invalid-aud', 'missing-aud', 'expired', 'missing-exp'],
  ...['invalid-missing-iss', 'invalid-missing-aud', 'invalid-expired-exp', 'invalid-missing-exp'],
];
const otherClaims = ['missing-iat', 'not-yet-valid', 'invalid-secondary-aud'];
const signature = ['invalid-sig-rs256', 'invalid-sig-es256', 'unknown-kid'];
const otherHeaders = ['invalid-sig-none', 'invalid-null-alg', 'hs256-public-key', 'crit-unknown'];
const wholeToken = [...claims, ...otherClaims, ...signature, ...otherHeaders];
const nonce = ['nonce-invalid', 'missing-nonce', 'invalid-nonce', 'invalid-missing-nonce'];
const state = [
  ...['invalid-state', 'missing-state'],
  ...['invalid-state', 'invalid-missing-state'].map(it => `ensure-authorization-response-with-${it}-fails`),
];
const dpop = ['happy-path', 'sender-constrained-tokens', 'rs-dpop-auth-scheme-case-insensitivity'];
const jarm = [
  ...['iss', 'aud', 'exp'].map(claim => `ensure-jarm-without-${claim}-fails`),
  ...['invalid-iss', 'invalid-aud', 'expired-exp', 'invalid-sig'].map(it => `ensure-jarm-with-${it}-fails`),
  'ensure-jarm-signature-is-not-none',
];
const pkce = ['pkce', 'pkce-downgrade'];
const userInfo = ['userinfo-invalid-sub', 'userinfo-missing-sub'];
const responseIssuer = ['invalid-authorization-response-iss', 'remove-authorization-response-iss'];

/** Libraries that leave the validation of the ID token to somebody else. */
const decodesAlone = (library: string, compared: string) =>
  `${library} decodes the ID token and compares ${compared}: let your back end validate it with jose, jwtVerify(idToken, keys, { issuer, audience: client_id }), before it believes who signed in.`;

/** The lines of each library that `recognisedLibrary` names. */
export const libraryLines: Readonly<Record<string, readonly Line[]>> = {
  'openid-client': [
    {
      modules: [...claims, ...otherClaims, ...otherHeaders],
      mend: 'Read the user from tokens.claims() of authorizationCodeGrant(config, currentUrl, checks), which validates the ID token, and not from the token itself.',
    },
    {
      modules: signature,
      mend: 'Give client.discovery() the option execute: [client.enableNonRepudiationChecks]: without it, openid-client trusts the TLS connection to the token endpoint and verifies no signature.',
    },
    {
      modules: nonce,
      mend: 'Keep client.randomNonce() in the session of the browser, and give it to authorizationCodeGrant(config, currentUrl, { expectedNonce }).',
    },
    { modules: ['nonce-reused'], mend: 'Call client.randomNonce() for each buildAuthorizationUrl().' },
    {
      modules: state,
      mend: 'Keep client.randomState() in the session of the browser, and give it to authorizationCodeGrant(config, currentUrl, { expectedState }), not client.skipStateCheck.',
    },
    { modules: ['state-reused'], mend: 'Call client.randomState() for each buildAuthorizationUrl().' },
    {
      modules: pkce,
      mend: "Give buildAuthorizationUrl() code_challenge: await client.calculatePKCECodeChallenge(verifier) and code_challenge_method: 'S256', and authorizationCodeGrant() { pkceCodeVerifier: verifier }, whatever supportsPKCE() says.",
    },
    { modules: ['pkce-reused'], mend: 'Call client.randomPKCECodeVerifier() for each buildAuthorizationUrl().' },
    {
      modules: userInfo,
      mend: 'Call client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub), and not with client.skipSubjectCheck.',
    },
    {
      modules: responseIssuer,
      mend: 'Give authorizationCodeGrant() the whole address of the callback as currentUrl, with its iss, and make config with client.discovery().',
    },
    {
      modules: ['discovery-issuer-mismatch'],
      mend: 'Make config with client.discovery(new URL(issuer), …), which compares the issuer, and not with new client.Configuration().',
    },
    {
      modules: ['invalid-alternate-alg'],
      mend: "Give client.discovery() the metadata { id_token_signed_response_alg: 'PS256' } of the registration.",
    },
    { modules: jarm, mend: 'Give client.discovery() the option execute: [client.useJwtResponseMode].' },
    {
      modules: dpop,
      mend: 'Give each call the same { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair()) }, which learns nonces and tries again.',
    },
    {
      modules: ['pushed-request', 'only-request-uri', 'request-uri-reused'],
      mend: 'Call client.buildAuthorizationUrlWithPAR(config, parameters) for each sign-in, and add nothing to the address.',
    },
    {
      modules: ['client-authentication', 'client-assertion-aud'],
      mend: 'Give client.discovery() client.PrivateKeyJwt(privateKey).',
    },
  ],
  'openid-client 5': [
    {
      modules: wholeToken,
      mend: 'Read the user from tokenSet.claims() of client.callback(), which validates the ID token, and not from the token itself.',
    },
    {
      modules: nonce,
      mend: 'Keep generators.nonce() in the session of the browser, and give it to client.callback(redirectUri, params, { nonce }).',
    },
    {
      modules: state,
      mend: 'Keep generators.state() in the session of the browser, and give it to client.callback(redirectUri, params, { state }).',
    },
    {
      modules: pkce,
      mend: "Give client.authorizationUrl() code_challenge: generators.codeChallenge(verifier) and code_challenge_method: 'S256', and client.callback() { code_verifier: verifier }.",
    },
    {
      modules: userInfo,
      mend: 'Call client.userinfo(tokenSet) with the token set, and not with the access token alone.',
    },
  ],
  oauth4webapi: [
    {
      modules: [...claims, ...otherClaims, ...otherHeaders],
      mend: 'Read the user from getValidatedIdTokenClaims(result) of processAuthorizationCodeResponse(as, client, response, { requireIdToken: true }), and not from the token itself.',
    },
    {
      modules: signature,
      mend: 'Call validateApplicationLevelSignature(as, response) after processAuthorizationCodeResponse(), which trusts the TLS connection to the token endpoint.',
    },
    {
      modules: nonce,
      mend: 'Keep generateRandomNonce() in the session of the browser, and give it to processAuthorizationCodeResponse(as, client, response, { expectedNonce }).',
    },
    { modules: ['nonce-reused'], mend: 'Call generateRandomNonce() for each sign-in.' },
    {
      modules: state,
      mend: 'Keep generateRandomState() in the session of the browser, and give it to validateAuthResponse(as, client, parameters, expectedState), not skipStateCheck.',
    },
    { modules: ['state-reused'], mend: 'Call generateRandomState() for each sign-in.' },
    {
      modules: pkce,
      mend: "Send code_challenge: await calculatePKCECodeChallenge(verifier) and code_challenge_method: 'S256', and give authorizationCodeGrantRequest() the verifier, not nopkce.",
    },
    { modules: ['pkce-reused'], mend: 'Call generateRandomCodeVerifier() for each sign-in.' },
    {
      modules: userInfo,
      mend: 'Call processUserInfoResponse(as, client, claims.sub, response), and not with skipSubjectCheck.',
    },
    { modules: responseIssuer, mend: 'Give validateAuthResponse() the whole address of the callback, with its iss.' },
    {
      modules: ['discovery-issuer-mismatch'],
      mend: 'Read the metadata with processDiscoveryResponse(new URL(issuer), response), which compares the issuer.',
    },
    {
      modules: ['invalid-alternate-alg'],
      mend: "Let the client have { client_id, id_token_signed_response_alg: 'PS256' }, as it was registered.",
    },
    { modules: jarm, mend: 'Read the response with validateJwtAuthResponse(as, client, parameters, expectedState).' },
    {
      modules: dpop,
      mend: 'Give each request the same { DPoP: DPoP(client, keyPair) }, and send it again where isDPoPNonceError(error).',
    },
    {
      modules: ['pushed-request', 'only-request-uri', 'request-uri-reused'],
      mend: 'Call pushedAuthorizationRequest() for each sign-in, and send client_id and its request_uri alone with the browser.',
    },
    {
      modules: ['client-authentication', 'client-assertion-aud'],
      mend: 'Authenticate with PrivateKeyJwt(privateKey).',
    },
  ],
  'Auth.js': [
    { modules: pkce, mend: "Let checks of the provider have 'pkce': checks: ['pkce', 'state']." },
    { modules: state, mend: "Let checks of the provider have 'state': checks: ['pkce', 'state']." },
  ],
  'MSAL Node': [
    { modules: wholeToken, mend: decodesAlone('MSAL', 'the nonce alone') },
    {
      modules: nonce,
      mend: 'Give getAuthCodeUrl() a nonce that you keep in the session of the browser, and acquireTokenByCode({ nonce, … }) the same.',
    },
    {
      modules: state,
      mend: 'Give getAuthCodeUrl() a state that you keep in the session of the browser, and call acquireTokenByCode({ state, … }, { code, state: query.state }), which compares the two.',
    },
    {
      modules: pkce,
      mend: "Call new CryptoProvider().generatePkceCodes(), and give getAuthCodeUrl() { codeChallenge: challenge, codeChallengeMethod: 'S256' } and acquireTokenByCode() { codeVerifier: verifier }.",
    },
  ],
  'MSAL Browser': [{ modules: wholeToken, mend: decodesAlone('MSAL', 'the nonce alone') }],
  'ASP.NET Core': [
    {
      modules: ['invalid-iss', 'missing-iss', 'invalid-missing-iss'],
      mend: 'Remove ValidateIssuer = false and IssuerValidator from options.TokenValidationParameters.',
    },
    {
      modules: ['invalid-aud', 'missing-aud', 'invalid-missing-aud'],
      mend: 'Remove ValidateAudience = false and AudienceValidator from options.TokenValidationParameters.',
    },
    {
      modules: ['expired', 'invalid-expired-exp', 'not-yet-valid'],
      mend: 'Remove ValidateLifetime = false and LifetimeValidator from options.TokenValidationParameters.',
    },
    {
      modules: ['missing-exp', 'invalid-missing-exp'],
      mend: 'Remove RequireExpirationTime = false from options.TokenValidationParameters.',
    },
    {
      modules: [...signature, ...otherHeaders],
      mend: 'Remove SignatureValidator and RequireSignedTokens = false from options.TokenValidationParameters.',
    },
    { modules: nonce, mend: 'Remove options.ProtocolValidator.RequireNonce = false.' },
    { modules: pkce, mend: 'Set options.UsePkce = true and options.ResponseType = "code".' },
  ],
  'Spring Security': [
    {
      modules: ['invalid-iss'],
      mend: 'Set spring.security.oauth2.client.provider.<name>.issuer-uri: without it, Spring Security does not compare iss.',
    },
    {
      modules: pkce,
      mend: 'Call setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce()) on the DefaultOAuth2AuthorizationRequestResolver of oauth2Login().',
    },
  ],
  Authlib: [
    {
      modules: wholeToken,
      mend: "Read token['userinfo'] of authorize_access_token(), which validates the ID token, and register the provider with server_metadata_url, without which iss is not compared.",
    },
    {
      modules: pkce,
      mend: "Register the provider with client_kwargs={'scope': 'openid', 'code_challenge_method': 'S256'}.",
    },
    {
      modules: userInfo,
      mend: "Read token['userinfo'] of authorize_access_token(), which is the ID token, or compare its sub with that of userinfo().",
    },
  ],
  'okta-auth-js': [
    { modules: signature, mend: 'Remove ignoreSignature: true from new OktaAuth().' },
    { modules: pkce, mend: 'Remove pkce: false from new OktaAuth().' },
  ],
  'passport-openidconnect': [
    {
      modules: [...signature, ...otherHeaders],
      mend: 'The strategy verifies no signature: call jose, jwtVerify(idToken, keys, { issuer, audience }), in verify(issuer, profile, context, idToken, done).',
    },
    {
      modules: [...pkce, ...responseIssuer],
      mend: 'The strategy has neither PKCE nor iss of the response: use Strategy of openid-client/passport, which has both.',
    },
    {
      modules: userInfo,
      mend: 'Set skipUserProfile: true, so that the profile is that of the ID token, or compare sub of the two in verify.',
    },
  ],
  'passport-oauth2': [
    { modules: state, mend: 'Set state: true in the options of the strategy.' },
    { modules: pkce, mend: 'Set pkce: true and state: true in the options of the strategy.' },
  ],
  'keycloak-js': [
    { modules: wholeToken, mend: decodesAlone('keycloak-js', 'the nonce alone') },
    { modules: nonce, mend: 'Remove useNonce: false from keycloak.init().' },
    { modules: pkce, mend: 'Remove pkceMethod: false from keycloak.init().' },
  ],
  'oidc-client-ts': [
    { modules: wholeToken, mend: decodesAlone('oidc-client-ts', 'nonce alone, and requires sub') },
    { modules: pkce, mend: 'Remove disablePKCE: true from the settings of UserManager.' },
  ],
};

/** The line of a library for a module; undefined where none is known. */
export function lineOf(library: string | undefined, module: string): string | undefined {
  const lines = library === undefined ? undefined : libraryLines[library];
  return lines?.find(({ modules }) => modules.includes(module))?.mend;
}
