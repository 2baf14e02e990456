/** A mistake of the catalogue. */
export interface Mistake {
  /** One line. */
  readonly mistake: string;
  /** The end of a sentence that begins with "An attacker". */
  readonly gain: string;
  /** The lab that shows it, by its id. */
  readonly lab?: string;
  /** The lesson and the task that teach it: `code-pkce/verifier`. */
  readonly lesson?: string;
  readonly section: string;
  /** Checks of the client report that find it, by their ids. */
  readonly report?: readonly string[];
  /** Modules of `grantbox examine --api` that find it, by their ids. */
  readonly api?: readonly string[];
}

/** The mistakes of one kind of program. */
export interface MistakesOf {
  readonly id: string;
  readonly title: string;
  readonly mistakes: readonly Mistake[];
}

const ofApps: readonly Mistake[] = [
  {
    mistake: 'The sign-in has no PKCE',
    gain: 'redeems a code that he intercepts',
    lab: 'code-interception',
    lesson: 'code-pkce/verifier',
    section: 'RFC 9700 §2.1.1',
    report: ['pkce_s256'],
  },
  {
    mistake: 'All sign-ins have the same verifier',
    gain: 'who has seen it once redeems each later code',
    lesson: 'code-pkce/make',
    section: 'RFC 7636 §7.1',
    report: ['pkce_unique'],
  },
  {
    mistake: 'Nothing ties the response to the browser that asked',
    gain: 'signs the victim in to his own account',
    lab: 'login-csrf',
    lesson: 'code-pkce/login',
    section: 'RFC 9700 §4.7',
    report: ['csrf_protection'],
  },
  {
    mistake: 'The app sends `state`, but does not compare it',
    gain: 'signs the victim in to his own account',
    lab: 'login-csrf',
    section: 'RFC 6749 §10.12',
    report: ['state_compared'],
  },
  {
    mistake: '`state` can be guessed, or is always the same',
    gain: 'makes a response that the app accepts',
    lab: 'login-csrf',
    section: 'RFC 6749 §10.10',
    report: ['state_random', 'state_unique'],
  },
  {
    mistake: 'The sign-in has no `nonce` and no PKCE, or always the same `nonce`',
    gain: 'puts a stolen code into his own sign-in',
    lab: 'login-csrf',
    section: 'OIDC Core §15.5.2',
    report: ['nonce_sent', 'nonce_unique'],
  },
  {
    mistake: 'An app with two servers does not compare `iss` of the response',
    gain: 'gets the code of the other server',
    lab: 'mix-up',
    lesson: 'discovery/metadata',
    section: 'RFC 9207 §2.4',
    report: ['iss_compared'],
  },
  {
    mistake: 'The app knows people by their e-mail address',
    gain: 'types the e-mail of the victim, and has the account',
    lab: 'email-as-key',
    lesson: 'id-token/userinfo',
    section: 'OIDC Core §5.7',
  },
  {
    mistake: 'The app has an open redirector',
    gain: 'lets it hand the code on to his page',
    lab: 'redirect-pattern',
    section: 'RFC 9700 §4.11',
  },
  {
    mistake: 'The callback has a plain `http` address',
    gain: 'reads the code on the network',
    lab: 'code-interception',
    section: 'RFC 9700 §2.6',
    report: ['redirect_uri_https'],
  },
  {
    mistake: 'The app redeems a code twice',
    gain: 'is not noticed: his attempt looks like one of the app',
    lab: 'code-interception',
    lesson: 'code-pkce/replay',
    section: 'RFC 6749 §10.5',
    report: ['code_once'],
  },
  {
    mistake: 'The access token comes in the callback address',
    gain: 'reads it in a history or a log',
    lab: 'token-replay',
    section: 'RFC 9700 §2.1.2',
    report: ['no_implicit'],
  },
  {
    mistake: 'An access token is part of an address',
    gain: 'reads it in a log',
    lab: 'token-replay',
    section: 'RFC 9700 §4.3.2',
    report: ['no_token_in_url'],
  },
  {
    mistake: 'A secret is part of an address',
    gain: 'reads it in a log, and asks for tokens as the app',
    lesson: 'client-credentials/token',
    section: 'RFC 6749 §2.3.1',
    report: ['no_secret_in_url'],
  },
  {
    mistake: 'A secret is inside an app that people install or open in a browser',
    gain: 'takes it out, and asks for tokens as the app',
    lesson: 'code-pkce/verifier',
    section: 'RFC 8252 §8.5',
    report: ['public_without_secret'],
  },
  {
    mistake: 'The app asks for the password of its user',
    gain: 'who gets into the app has the password',
    lesson: 'code-pkce/login',
    section: 'RFC 9700 §2.4',
    report: ['no_password_grant'],
  },
  {
    mistake: 'A client assertion names an endpoint as its audience',
    gain: 'with a server of his own uses the assertion at yours',
    lab: 'mix-up',
    section: 'RFC 7523 §3',
    report: ['assertion_audience'],
  },
  {
    mistake: 'The authorization request goes through the browser, unsigned',
    gain: 'changes it on its way, and removes the challenge',
    lab: 'pkce-downgrade',
    section: 'RFC 9126 §1',
    report: ['pushed_requests'],
  },
  {
    mistake: 'An old refresh token is sent again',
    gain: 'is not noticed: the copy of a thief looks the same',
    lab: 'refresh-theft',
    lesson: 'refresh-in-life/race',
    section: 'RFC 9700 §4.14.2',
    report: ['refresh_rotated'],
  },
  {
    mistake: 'The app asks for more scopes than it needs',
    gain: 'does more with a token that he steals',
    lesson: 'scope/consent',
    section: 'RFC 9700 §2.3',
    report: ['scope'],
  },
  {
    mistake: 'The app sends the ID token to an API',
    gain: 'with any app of his own gets a token for that API',
    lab: 'wrong-audience',
    lesson: 'id-token/wrong',
    section: 'RFC 9068 §4',
    report: ['access_token_for_api'],
  },
  {
    mistake: 'One token goes to several APIs',
    gain: 'who runs one of them calls the others as the user',
    lab: 'wrong-audience',
    lesson: 'on-behalf-of/forward',
    section: 'RFC 9700 §4.10.2',
    report: ['audience'],
  },
  {
    mistake: 'A logout request has no `id_token_hint`',
    gain: 'signs the user out from a page of his own',
    lesson: 'logout/logout',
    section: 'OIDC RP-Initiated Logout §2',
    report: ['logout_hint'],
  },
  {
    mistake: 'The app signs a user out, and leaves the tokens alive',
    gain: 'uses a copied token after the sign-out',
    lesson: 'logout/alive',
    section: 'RFC 7009 §2.1',
  },
];

const ofApis: readonly Mistake[] = [
  {
    mistake: 'The API does not check the signature',
    gain: 'changes the claims of his token',
    lesson: 'token/tamper',
    section: 'RFC 7515 §5.2',
    api: ['tampered', 'wrong-key', 'unknown-kid', 'empty-signature'],
  },
  {
    mistake: 'The token chooses the algorithm (`alg`)',
    gain: 'writes a token for anybody',
    lab: 'forged-token',
    lesson: 'token/unsigned',
    section: 'RFC 8725 §3.1',
    api: ['none', 'none-in-other-letters', 'hs256'],
  },
  {
    mistake: 'The token says where its key is (`jku`)',
    gain: 'signs a token for anybody with his own key',
    lab: 'forged-token',
    section: 'RFC 8725 §3.10',
    api: ['jku', 'jwk'],
  },
  {
    mistake: 'The API does not compare `iss`',
    gain: 'sends a token of his own server',
    lesson: 'api/refuse',
    section: 'RFC 9068 §4',
    api: ['issuer', 'no-issuer'],
  },
  {
    mistake: 'The API does not compare `aud`',
    gain: 'sends a token that another app or API got',
    lab: 'wrong-audience',
    lesson: 'id-token/other',
    section: 'RFC 8725 §3.9',
    api: ['audience', 'no-audience'],
  },
  {
    mistake: 'The API does not compare `typ`',
    gain: 'calls it with an ID token',
    lab: 'wrong-audience',
    lesson: 'id-token/wrong',
    section: 'RFC 9068 §4',
    api: ['id-token', 'refresh-token', 'typ-jwt'],
  },
  {
    mistake: 'The API does not compare `exp` and `nbf` with its clock',
    gain: 'uses a stolen token for ever',
    lesson: 'token/expire',
    section: 'RFC 7519 §4.1.4',
    api: ['expired', 'not-yet-valid', 'clock-skew-five-minutes'],
  },
  {
    mistake: 'The API accepts a token without `exp`, or minutes after it',
    gain: 'uses a stolen token for longer than its life',
    lesson: 'token/expire',
    section: 'RFC 9068 §2.2',
    api: ['no-expiry', 'expired-four-minutes'],
  },
  {
    mistake: 'The API does not ask for the scope of the call',
    gain: 'does everything with any token',
    lesson: 'scope/refused',
    section: 'RFC 6750 §3.1',
    api: ['scope', 'scope-part'],
  },
  {
    mistake: 'The API reads the token from the address, too',
    gain: 'finds tokens in logs and Referer headers',
    lesson: 'mcp/knock',
    section: 'RFC 9700 §4.3.2',
    api: ['token-in-query'],
  },
  {
    mistake: 'One of the routes asks for no token',
    gain: 'calls it without one',
    lesson: 'mcp/knock',
    section: 'RFC 6750 §3',
    api: ['no-token'],
  },
  {
    mistake: 'The API ignores a critical header that it does not know',
    gain: 'uses a token outside of its limits',
    section: 'RFC 7515 §4.1.11',
    api: ['crit'],
  },
  {
    mistake: 'The API reads its keys once, at the start',
    gain: 'signs with a stolen key after you replaced it',
    lesson: 'api/rotate',
    section: 'OIDC Core §10.1.1',
    api: ['rotated', 'key-withdrawn'],
  },
  {
    mistake: 'The API lets calls in while it cannot read the keys',
    gain: 'disturbs the server of the keys and signs a token for anybody',
    section: 'RFC 7515 §5.2',
    api: ['keys-500', 'keys-redirect', 'keys-html', 'keys-slow', 'keys-empty'],
  },
  {
    mistake: 'A token is bound to no key',
    gain: 'uses a token from a log',
    lab: 'token-replay',
    lesson: 'dpop/stolen',
    section: 'RFC 9700 §2.2.1',
    report: ['sender_constrained'],
  },
  {
    mistake: 'The API does not compare the address in a DPoP proof',
    gain: 'uses a copied proof at another address',
    lesson: 'dpop/elsewhere',
    section: 'RFC 9449 §4.3',
    api: ['dpop-htu', 'dpop-htm'],
  },
  {
    mistake: 'The API asks for no proof of a bound token',
    gain: 'uses a token from a log',
    lesson: 'dpop/stolen',
    section: 'RFC 9449 §7.1',
    api: ['dpop-as-bearer', 'dpop-no-proof', 'certificate-bound'],
  },
  {
    mistake: 'The API does not compare the key of a DPoP proof, or its token',
    gain: 'signs a proof with a key of his own',
    lesson: 'dpop/stolen',
    section: 'RFC 9449 §4.3',
    api: ['dpop-other-key', 'dpop-other-token'],
  },
  {
    mistake: 'The API takes a DPoP proof twice, or hours later',
    gain: 'sends a copied proof again',
    section: 'RFC 9449 §11.1',
    api: ['dpop-old', 'dpop-replayed'],
  },
];

const ofServers: readonly Mistake[] = [
  {
    mistake: 'The server gives an app without a secret a code without PKCE',
    gain: 'redeems a code that he intercepts',
    lab: 'code-interception',
    section: 'RFC 9700 §2.1.1',
    report: ['pkce_s256'],
  },
  {
    mistake: 'The server ignores a verifier if there was no challenge',
    gain: 'removes the challenge, and brings others his code',
    lab: 'pkce-downgrade',
    lesson: 'code-pkce/verifier',
    section: 'RFC 9700 §4.8.2',
    report: ['pkce_verifier'],
  },
  {
    mistake: 'The server compares the beginning of `redirect_uri`, or a pattern',
    gain: 'has the code sent to his page',
    lab: 'redirect-pattern',
    section: 'RFC 9700 §4.1.3',
    report: ['redirect_uri_exact'],
  },
  {
    mistake: 'The response of the server has no `iss`',
    gain: 'gets the code of the other server',
    lab: 'mix-up',
    section: 'RFC 9207 §2',
    report: ['iss_compared'],
  },
  {
    mistake: 'A refresh token can be used again and again',
    gain: 'lives on a copied one, and nobody notices',
    lab: 'refresh-theft',
    lesson: 'refresh/reuse',
    section: 'RFC 9700 §4.14.2',
    report: ['refresh_rotated'],
  },
  {
    mistake: 'The page for the code of a device gives no warning',
    gain: 'mails his code, and the victim signs his device in',
    lab: 'device-phishing',
    lesson: 'device/approve',
    section: 'RFC 8628 §5.4',
  },
];

/** The mistakes that lessons and labs show, by the kind of program that makes them. */
export const mistakes: readonly MistakesOf[] = [
  { id: 'apps', title: 'Apps', mistakes: ofApps },
  { id: 'apis', title: 'APIs', mistakes: ofApis },
  { id: 'servers', title: 'Servers', mistakes: ofServers },
];
