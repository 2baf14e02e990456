import type { AppRefusalReason } from './app-events.ts';
import type { Protection } from './checks.ts';

interface ProtectionWords {
  readonly label: string;
  /** The attack that the protection stops. */
  readonly against: string;
  readonly reference: string;
}

/** The words of each protection. A protection without an entry does not compile. */
export const protectionWords: Readonly<Record<Protection, ProtectionWords>> = {
  state: {
    label: 'Compare the state with the one that was sent',
    against: 'An attacker sends you the response to their own sign-in, and you act in their account.',
    reference: 'RFC 6749 §10.12',
  },
  pkce: {
    label: 'Send a code_challenge, and its code_verifier with the code',
    against: 'Somebody who intercepts the code redeems it.',
    reference: 'RFC 7636 §1',
  },
  iss: {
    label: 'Compare the issuer',
    against: 'A second provider gets the code of the first one.',
    reference: 'RFC 9207 §2.4',
  },
  alg: {
    label: 'Accept the agreed algorithm only',
    against: 'An attacker signs a token with none, or with the public key as a secret.',
    reference: 'RFC 8725 §3.1',
  },
  aud: {
    label: 'Compare the audience',
    against: 'The token of a different app opens this one.',
    reference: 'OpenID Connect Core §3.1.3.7',
  },
  azp: {
    label: 'Compare the authorized party',
    against: 'A token for several applications, made for another of them, opens this one.',
    reference: 'OpenID Connect Core §3.1.3.7',
  },
  nonce: {
    label: 'Compare the nonce with the one that was sent',
    against: 'An ID token of an earlier sign-in is used again.',
    reference: 'OpenID Connect Core §15.5.2',
  },
  sub: {
    label: 'Know people by iss and sub, not by e-mail',
    against: 'Somebody writes your e-mail into their own profile, and gets your account.',
    reference: 'OpenID Connect Core §5.7',
  },
};

/** Explains each reason to refuse a sign-in, as a sentence for the user. */
export const refusalWords: Readonly<Record<AppRefusalReason, string>> = {
  state: 'The state is not the one that this browser sent.',
  iss: 'The response comes from a different issuer.',
  alg: 'The ID token is signed with an algorithm that was not agreed.',
  aud: 'The ID token was issued for a different app.',
  azp: 'The ID token was issued to a different app.',
  nonce: 'The nonce of the ID token is not the one that was sent.',
  sub: 'The ID token names no user, or UserInfo names a different one.',
  exp: 'The ID token has expired, or never expires.',
  iat: 'The ID token does not say when it was made.',
  token_type: 'The access token has a type that the app does not know.',
  signature: 'The signature of the ID token is not by a key of the provider.',
  error: 'The provider answered with an error.',
};
