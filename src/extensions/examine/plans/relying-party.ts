import type { ExamPlan } from '../exam-module.ts';
import { after, mustAccept, mustRefuse } from '../judge.ts';
import { baseline } from './baseline.ts';
import { idTokenModules, signatureModules } from './id-token.ts';
import { metadataModules, rotationModules } from './keys.ts';

const noUserInfo = 'The app does not ask for UserInfo.';

/** Clients of OpenID Connect, by the names of the relying-party tests of the OpenID Foundation. */
export const relyingParty: ExamPlan = {
  id: 'relying-party',
  title: 'OpenID Connect relying party',
  about: 'For each app that signs people in with OpenID Connect and the code flow.',
  modules: [
    baseline,
    ...idTokenModules,
    ...signatureModules,
    ...metadataModules,
    mustRefuse({
      id: 'userinfo-invalid-sub',
      suite: 'oidcc-client-test-userinfo-invalid-sub',
      title: 'UserInfo is about another user than the ID token',
      references: ['OIDC Core §5.3.2'],
      gain: 'Somebody who can change the access token in the app reads and becomes another user.',
      right: 'Compares sub of UserInfo with sub of the ID token.',
      mend: 'Give the library the sub of the ID token (expectedSubject), and do not merge the two answers unseen.',
      absent: noUserInfo,
      faults: [{ fault: 'userinfo_wrong_sub' }],
    }),
    mustRefuse({
      id: 'userinfo-missing-sub',
      title: 'UserInfo does not say whom it is about',
      references: ['OIDC Core §5.3.2'],
      gain: 'Claims of any user are taken for those of this one.',
      right: 'Requires sub in UserInfo, which always has it.',
      mend: 'Give the library the sub of the ID token (expectedSubject), so that it has to be there.',
      absent: noUserInfo,
      faults: [{ fault: 'changed_members', endpoint: 'userinfo', change: { sub: null } }],
    }),
    mustAccept({
      id: 'userinfo-bearer-header',
      suite: 'oidcc-client-test-userinfo-bearer-header',
      title: 'UserInfo is asked with the access token in a header or in a body',
      references: ['RFC 6750 §2', 'RFC 9700 §4.3.2'],
      gain: 'An access token in an address is in logs, histories and Referer headers.',
      right: 'Sends Authorization: Bearer, and never the token in the address.',
      mend: 'Send the header Authorization, as each library does unless it is told otherwise.',
      absent: noUserInfo,
      faults: [],
      met: seen => seen.at('userinfo'),
      never: seen => seen.at('userinfo').filter(request => request.query.has('access_token')),
      without: 'The access token was sent in the address of UserInfo.',
    }),
    mustRefuse({
      id: 'authorization-error',
      title: 'The authorization response is an error',
      references: ['RFC 6749 §4.1.2.1'],
      gain: 'Nothing; but people who refuse see a broken page instead of a sentence.',
      right: 'Reads error before code, and sends no token request.',
      mend: 'Look at the parameter error of the redirect first, and say what happened.',
      absent: 'The app sent no authorization request.',
      faults: [{ fault: 'authorize_error', error: 'access_denied' }],
      never: (seen, met) => after(seen, met, 'token'),
    }),
    ...rotationModules,
  ],
};
