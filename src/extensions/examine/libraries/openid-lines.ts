import {
  assertion,
  claims,
  codeHash,
  dpop,
  jarm,
  logoutToken,
  type MendLine,
  nonce,
  otherClaims,
  otherHeaders,
  pkce,
  polling,
  proofs,
  readsNoLogoutToken,
  refused,
  responseIssuer,
  signature,
  signOut,
  state,
  userInfo,
  wholeResponse,
  wholeToken,
} from './module-groups.ts';

/** The lines of openid-client, and of oauth4webapi below it. */
export const openidLines: Readonly<Record<string, readonly MendLine[]>> = {
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
      modules: assertion,
      mend: 'Give client.discovery() client.PrivateKeyJwt(privateKey), without client.modifyAssertion.',
    },
    {
      modules: ['mix-up'],
      mend: 'Keep with the state which config the sign-in began with, and give authorizationCodeGrant() this one.',
    },
    {
      modules: wholeResponse,
      mend: 'Let authorizationCodeGrant(config, currentUrl, checks) read the whole address of the callback, and read no parameter of it yourself.',
    },
    {
      modules: codeHash,
      mend: 'Give client.discovery() the option execute: [client.useCodeIdTokenResponseType], and authorizationCodeGrant() { expectedNonce }.',
    },
    {
      modules: proofs,
      mend: 'Call client.fetchProtectedResource(config, accessToken, url, method, body, headers, { DPoP }), and fetchUserInfo(config, accessToken, sub, { DPoP }), with the handle of the token request.',
    },
    {
      modules: ['dpop-downgrade'],
      mend: "Compare tokens.token_type of authorizationCodeGrant() with 'dpop': openid-client takes bearer, too.",
    },
    {
      modules: ['refresh-token'],
      mend: 'Call client.refreshTokenGrant(config, refreshToken, undefined, { DPoP }) with the newest refresh_token, and keep the id_token of the sign-in if the response has none.',
    },
    {
      modules: ['refresh-token-invalid-issuer'],
      mend: 'Call client.refreshTokenGrant(config, refreshToken), which validates the ID token, and use no token where it throws.',
    },
    {
      modules: ['refresh-token-invalid-sub'],
      mend: 'Compare claims()?.sub of refreshTokenGrant() with that of the sign-in, which openid-client does not know.',
    },
    {
      modules: refused,
      mend: "Where refreshTokenGrant() throws client.ResponseBodyError with error === 'invalid_grant', forget the tokens and begin a sign-in; let one refresh run at a time.",
    },
    {
      modules: ['client-secret-basic'],
      mend: 'Give client.discovery() client.ClientSecretBasic(clientSecret): its default is ClientSecretPost.',
    },
    {
      modules: signOut,
      mend: 'End your own session, and then send the browser to client.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri, state }).',
    },
    { modules: logoutToken, mend: readsNoLogoutToken('openid-client') },
    {
      modules: [...polling, 'missing-auth-req-id'],
      mend: 'Give the response of client.initiateBackchannelAuthentication() to client.pollBackchannelAuthenticationGrant(config, response), which waits, slows down and stops by itself.',
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
    {
      modules: codeHash,
      mend: "Give client.callback() all parameters of the response, and { response_type: 'code id_token' }.",
    },
    {
      modules: signOut,
      mend: 'End your own session, and then send the browser to client.endSessionUrl({ id_token_hint: tokenSet, post_logout_redirect_uri, state }).',
    },
    { modules: logoutToken, mend: readsNoLogoutToken('openid-client') },
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
    { modules: assertion, mend: 'Authenticate with PrivateKeyJwt(privateKey), without modifyAssertion.' },
    {
      modules: ['mix-up'],
      mend: 'Keep with the state which as the sign-in began with, and give validateAuthResponse() this one.',
    },
    {
      modules: wholeResponse,
      mend: 'Let validateAuthResponse() read the whole address of the callback, and give what it returns to authorizationCodeGrantRequest().',
    },
    {
      modules: codeHash,
      mend: 'Read the response with validateCodeIdTokenResponse(as, client, parameters, expectedNonce, expectedState).',
    },
    {
      modules: proofs,
      mend: 'Call protectedResourceRequest(accessToken, method, url, headers, body, { DPoP }), and userInfoRequest(as, client, accessToken, { DPoP }), with the handle of the token request.',
    },
    {
      modules: ['dpop-downgrade'],
      mend: "Compare token_type of processAuthorizationCodeResponse() with 'dpop': oauth4webapi takes bearer, too.",
    },
    {
      modules: ['refresh-token', 'refresh-token-invalid-issuer'],
      mend: 'Read the response with processRefreshTokenResponse(as, client, response), which validates an ID token if there is one, and keep the ID token of the sign-in if there is none.',
    },
    {
      modules: ['refresh-token-invalid-sub'],
      mend: 'Compare sub of getValidatedIdTokenClaims(result) after processRefreshTokenResponse() with that of the sign-in, which oauth4webapi does not know.',
    },
    {
      modules: refused,
      mend: "Where processRefreshTokenResponse() throws ResponseBodyError with error === 'invalid_grant', forget the tokens and begin a sign-in; let one refresh run at a time.",
    },
    { modules: ['client-secret-basic'], mend: 'Authenticate with ClientSecretBasic(clientSecret).' },
    { modules: logoutToken, mend: readsNoLogoutToken('oauth4webapi') },
    {
      modules: polling,
      mend: 'Wait for interval of processBackchannelAuthenticationResponse() (5 if absent) before each backchannelAuthenticationGrantRequest(), add 5 for slow_down, and stop at each error but authorization_pending and slow_down.',
    },
    {
      modules: ['missing-auth-req-id'],
      mend: 'Read the response with processBackchannelAuthenticationResponse(), which requires auth_req_id.',
    },
  ],
};
