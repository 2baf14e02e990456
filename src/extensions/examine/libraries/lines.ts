// The line to mend, by library and module. Each name of an option or a function is one that the documentation or the source of that
// library has; modules that are not here keep their general sentence.

import {
  decodesAlone,
  logoutToken,
  type MendLine,
  nonce,
  otherHeaders,
  pkce,
  responseIssuer,
  signature,
  signOut,
  state,
  userInfo,
  wholeToken,
} from './module-groups.ts';
import { openidLines } from './openid-lines.ts';

/** The lines of each library that `recognisedLibrary` names. */
export const libraryLines: Readonly<Record<string, readonly MendLine[]>> = {
  ...openidLines,
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
  'MSAL Browser': [
    { modules: wholeToken, mend: decodesAlone('MSAL', 'the nonce alone') },
    {
      modules: ['tokens-in-storage'],
      mend: 'Set cache: { cacheLocation: BrowserCacheLocation.MemoryStorage } in the configuration.',
    },
    { modules: signOut, mend: 'Call logoutRedirect({ account, idTokenHint: account.idToken }).' },
  ],
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
    {
      modules: [...pkce, 'implicit-grant', 'no-implicit'],
      mend: 'Set options.UsePkce = true and options.ResponseType = "code".',
    },
    {
      modules: signOut,
      mend: 'Set options.SaveTokens = true, so that id_token_hint is sent, and sign out of both schemes: SignOut(properties, CookieAuthenticationDefaults.AuthenticationScheme, OpenIdConnectDefaults.AuthenticationScheme).',
    },
    {
      modules: ['front-channel'],
      mend: 'Register the address of options.RemoteSignOutPath (/signout-oidc) as frontchannel_logout_uri, and set SameSite = SameSiteMode.None for the cookie.',
    },
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
    {
      modules: ['client-secret-basic'],
      mend: 'Set spring.security.oauth2.client.registration.<name>.client-authentication-method: client_secret_basic.',
    },
    {
      modules: signOut,
      mend: 'Give http.logout() logoutSuccessHandler(new OidcClientInitiatedLogoutSuccessHandler(clientRegistrationRepository)).',
    },
    {
      modules: ['back-channel', ...logoutToken],
      mend: 'Switch it on with http.oidcLogout(logout -> logout.backChannel(Customizer.withDefaults())), which checks the logout token.',
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
  'auth0-spa-js': [
    { modules: ['tokens-in-storage'], mend: "Remove cacheLocation: 'localstorage' from the options of Auth0Client." },
  ],
  'okta-auth-js': [
    { modules: ['tokens-in-storage'], mend: "Set tokenManager: { storage: 'memory' } in new OktaAuth()." },
    {
      modules: [...signOut, 'tokens-after-logout'],
      mend: 'Call signOut(), without revokeAccessToken: false and revokeRefreshToken: false.',
    },
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
    {
      modules: ['no-implicit', 'implicit-grant'],
      mend: "Remove flow: 'implicit' (or 'hybrid') from keycloak.init().",
    },
    { modules: ['session-management'], mend: 'Remove checkLoginIframe: false from keycloak.init().' },
    { modules: signOut, mend: 'Call keycloak.logout(), which sends id_token_hint, and not clearToken() alone.' },
  ],
  'oidc-client-ts': [
    { modules: wholeToken, mend: decodesAlone('oidc-client-ts', 'nonce alone, and requires sub') },
    { modules: pkce, mend: 'Remove disablePKCE: true from the settings of UserManager.' },
    { modules: ['no-secret'], mend: 'Remove client_secret from the settings of UserManager.' },
    {
      modules: ['client-secret-basic'],
      mend: "Set client_authentication: 'client_secret_basic' in the settings of UserManager.",
    },
    {
      modules: ['code-in-address'],
      mend: 'Call history.replaceState() after signinCallback(), in onSigninCallback where react-oidc-context calls it.',
    },
    {
      modules: ['tokens-in-storage'],
      mend: 'Set userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }) in the settings of UserManager.',
    },
    {
      modules: ['refresh-two-tabs', 'refresh-race'],
      mend: 'Set automaticSilentRenew: false, and call signinSilent() inside navigator.locks.request(), after a getUser() there.',
    },
    {
      modules: ['silent-sign-in-refused', 'refresh-expired'],
      mend: 'Call removeUser() in events.addSilentRenewError() and where signinSilent() rejects, and do not call it again by itself.',
    },
    {
      modules: signOut,
      mend: 'Call signoutRedirect() while the user is still stored: it removes the user, and sends id_token_hint.',
    },
    {
      modules: ['session-management', 'logout-other-tab'],
      mend: 'Set monitorSession: true in the settings of UserManager, and call removeUser() in events.addUserSignedOut().',
    },
    {
      modules: ['tokens-after-logout'],
      mend: 'Set revokeTokensOnSignout: true in the settings of UserManager, and call removeUser() where you do not call signoutRedirect().',
    },
  ],
  'MCP SDK': [
    {
      modules: ['metadata-default', 'metadata-var1', 'metadata-var2', 'metadata-var3'],
      mend: 'Give StreamableHTTPClientTransport an authProvider, which finds the metadata at each of these places, or call discoverOAuthServerInfo(serverUrl, { resourceMetadataUrl }).',
    },
    {
      modules: ['resource-mismatch', 'resource-parameter'],
      mend: 'Remove validateResourceURL() from your OAuthClientProvider: without it, the SDK compares resource and sends it.',
    },
    {
      modules: ['metadata-issuer-mismatch'],
      mend: 'Use @modelcontextprotocol/client without skipIssuerMetadataValidation: @modelcontextprotocol/sdk does not compare issuer.',
    },
    {
      modules: ['iss-supported', 'iss-supported-missing', 'iss-wrong-issuer', 'iss-unexpected', 'iss-normalized'],
      mend: 'Call finishAuth(new URL(callbackUrl).searchParams) of @modelcontextprotocol/client: finishAuth(code) of @modelcontextprotocol/sdk does not compare iss.',
    },
    {
      modules: ['pkce-not-advertised'],
      mend: 'Read code_challenge_methods_supported with discoverOAuthServerInfo(serverUrl) before you connect: the SDK goes on where it is absent.',
    },
    {
      modules: ['basic-cimd'],
      mend: 'Let clientMetadataUrl of your OAuthClientProvider be the https address of the document.',
    },
    {
      modules: ['pre-registration'],
      mend: 'Return client_id and client_secret from clientInformation() of your OAuthClientProvider.',
    },
    {
      modules: ['basic', 'post', 'none'].map(it => `token-endpoint-auth-${it}`),
      mend: 'Keep all that saveClientInformation() gets, and return it from clientInformation(): the SDK chooses by its token_endpoint_auth_method.',
    },
    {
      modules: ['authorization-server-migration'],
      mend: 'Keep the issuer that saveClientInformation() and saveTokens() get with the rest, so that the SDK sends nothing to another server.',
    },
    {
      modules: ['scope-omitted-when-undefined', 'offline-access-not-supported'],
      mend: 'Leave scope out of clientMetadata of your OAuthClientProvider.',
    },
    {
      modules: ['scope-step-up'],
      mend: "Use @modelcontextprotocol/client with onInsufficientScope: 'reauthorize', the default of StreamableHTTPClientTransport, which asks for both scopes.",
    },
    {
      modules: ['scope-retry-limit'],
      mend: 'Leave maxStepUpRetries of StreamableHTTPClientTransport at 1, and do not call again where it throws.',
    },
    {
      modules: ['offline-access-scope'],
      mend: "Let clientMetadata of your OAuthClientProvider have grant_types: ['authorization_code', 'refresh_token'].",
    },
    {
      modules: ['client-credentials-jwt'],
      mend: 'Let authProvider be new PrivateKeyJwtProvider({ clientId, privateKey, algorithm }).',
    },
    {
      modules: ['client-credentials-basic'],
      mend: 'Let authProvider be new ClientCredentialsProvider({ clientId, clientSecret }).',
    },
    {
      modules: ['dpop', 'dpop-nonce'],
      mend: 'Use @modelcontextprotocol/client, and let dpop() of your OAuthClientProvider return the same DpopSession.create() each time.',
    },
  ],
};

/** The line of a library for a module; undefined where none is known. */
export function lineOf(library: string | undefined, module: string): string | undefined {
  const lines = library === undefined ? undefined : libraryLines[library];
  return lines?.find(({ modules }) => modules.includes(module))?.mend;
}
