import type { AskedFault } from '../../../server/faults/fault.ts';
import type { ExamModule, ExamPlan, Seen } from '../exam-module.ts';
import { mustAccept, mustRefuse, notMet } from '../judge.ts';
import { baseline } from './baseline.ts';
import { fapiRequestModules } from './fapi2-requests.ts';
import { idTokenModules, signatureModules } from './id-token.ts';
import { jarmModules } from './jarm.ts';
import { metadataModules } from './keys.ts';
import { oauthBcp } from './oauth-bcp.ts';
import { resilience } from './resilience.ts';

const suite = 'fapi2-security-profile-final-client-test-';
const others = [
  ...[...idTokenModules, ...signatureModules, ...metadataModules],
  ...[...oauthBcp.modules, ...resilience.modules],
];

/** A module of another plan, by its name there, under its name in the suite of FAPI 2.0. */
function shared(name: string, id = name): ExamModule {
  const found = others.find(each => each.id === name);
  if (found === undefined) throw new Error(`no plan has the module ${name}`);
  return { ...found, id, suite: suite + id };
}

/** The same where the response is signed, so that its parameters are claims. */
function alsoSigned(module: ExamModule, change: NonNullable<AskedFault['change']>): ExamModule {
  return {
    ...module,
    async run(stage) {
      await stage.arm({ fault: 'changed_claims', token: 'response', change });
      return module.run(stage);
    },
  };
}

/** A module of our own in another plan. */
function ours(name: string): ExamModule {
  const { suite: _, ...module } = shared(name);
  return module;
}

const withNonces = 'Use a library that knows RFC 9449 §8, and give it one handle for DPoP for all its requests.';
const refreshes = (seen: Seen) => seen.at('token').filter(request => request.value('grant_type') === 'refresh_token');

const refreshToken: ExamModule = {
  id: 'refresh-token',
  suite: 'fapi2-security-profile-final-client-refresh-token-test',
  title: 'UserInfo and the API refuse the access token twice',
  references: ['FAPI 2.0 Security Profile §5.3.3.1', 'RFC 6749 §6'],
  gain: 'People are signed out as soon as an access token ends, or as the refresh token rotates.',
  right: 'Refreshes with the newest refresh token, its credentials and its proof, and asks again.',
  mend: 'Keep the refresh_token of each response, and refresh with the same function of the library for DPoP and credentials.',
  async run(stage) {
    await stage.arm({ fault: 'userinfo_unauthorized', times: 2 });
    await stage.arm({ fault: 'api_unauthorized', times: 2 });
    return stage.signIn();
  },
  judge(seen) {
    const sent = refreshes(seen);
    if (sent.length === 0) return notMet(seen, 'The app does not refresh when its access token is refused.');
    const refused = sent.filter(({ answer }) => answer.error !== 'use_dpop_nonce' && answer.access_token === undefined);
    if (refused.length > 0) return { verdict: 'fail', why: 'The provider refused the refresh.', requests: refused };
    return { verdict: 'pass', why: 'The app refreshed its access token.', requests: sent };
  },
};

/** Clients of FAPI 2.0, by the names of the client tests of the OpenID Foundation. */
export const fapi2Client: ExamPlan = {
  id: 'fapi2-client',
  title: 'FAPI 2.0 client',
  about:
    'For each app of a bank, a health service or an agency: FAPI 2.0 Security Profile, and Message Signing where it asks for signed responses.',
  modules: [
    { ...baseline, id: 'happy-path-no-dpop-nonce', suite: `${suite}happy-path-no-dpop-nonce` },
    mustAccept({
      id: 'happy-path',
      suite: `${suite}happy-path`,
      title: 'Each endpoint asks for a nonce in the DPoP proof',
      references: ['FAPI 2.0 Security Profile §5.3.3.1', 'RFC 9449 §8'],
      gain: 'People cannot sign in at a provider that protects itself against proofs made in advance.',
      right: 'Sends the request again with the nonce of DPoP-Nonce in a new proof.',
      mend: withNonces,
      absent: 'The app sends no DPoP proof.',
      faults: ['par', 'token', 'userinfo'].map(endpoint => ({ fault: 'dpop_nonce', endpoint })),
    }),
    shared('discovery-issuer-mismatch'),
    shared('invalid-iss'),
    shared('invalid-aud'),
    shared('invalid-secondary-aud'),
    shared('invalid-sig-none', 'invalid-null-alg'),
    mustRefuse({
      id: 'invalid-alternate-alg',
      suite: `${suite}invalid-alternate-alg`,
      title: 'The ID token is signed with RS256',
      references: ['FAPI 2.0 Security Profile §5.4.1', 'RFC 8725 §3.1'],
      gain: 'An attack on an old algorithm works, although provider and app agreed on a newer one.',
      right: 'Accepts PS256, ES256 and EdDSA alone, as it was registered.',
      mend: 'Name the algorithm in the configuration of the library (id_token_signed_response_alg).',
      absent: 'The app got no ID token, because it does not ask for the scope openid.',
      faults: [{ fault: 'changed_claims', token: 'id', header: { alg: 'RS256' } }],
    }),
    shared('expired', 'invalid-expired-exp'),
    shared('missing-exp', 'invalid-missing-exp'),
    shared('missing-aud', 'invalid-missing-aud'),
    shared('missing-iss', 'invalid-missing-iss'),
    shared('valid-aud-as-array'),
    shared('nonce-invalid', 'invalid-nonce'),
    shared('missing-nonce', 'invalid-missing-nonce'),
    shared('invalid-authorization-response-iss'),
    shared('remove-authorization-response-iss'),
    alsoSigned(shared('invalid-state', 'ensure-authorization-response-with-invalid-state-fails'), {
      state: 'not-the-state-that-was-sent',
    }),
    alsoSigned(shared('missing-state', 'ensure-authorization-response-with-invalid-missing-state-fails'), {
      state: null,
    }),
    shared('missing-expires-in', 'token-endpoint-response-without-expires_in'),
    shared('token-type-case-insensitivity'),
    mustAccept({
      id: 'rs-dpop-auth-scheme-case-insensitivity',
      suite: `${suite}rs-dpop-auth-scheme-case-insensitivity`,
      title: 'UserInfo asks for a nonce with the scheme in other letters',
      references: ['RFC 9110 §11.1', 'RFC 9449 §9'],
      gain: 'People cannot sign in at a provider, or behind a proxy, that writes dpop.',
      right: 'Compares the scheme of WWW-Authenticate without regard to case.',
      mend: withNonces,
      absent: 'The app does not ask for UserInfo with a DPoP proof.',
      faults: ['dpop_nonce', 'challenge_case'].map(fault => ({ fault, endpoint: 'userinfo' })),
      met: seen => seen.baited.filter(request => request.header('dpop') !== undefined),
    }),
    ...jarmModules,
    refreshToken,
    ours('pkce'),
    ours('pkce-reused'),
    ...fapiRequestModules,
  ],
};
