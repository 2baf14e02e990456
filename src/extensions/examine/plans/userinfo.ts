import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { AskedFault } from '../../../server/faults/fault.ts';
import type { ExamModule, Stage } from '../exam-module.ts';
import { type ModuleWords, mustAccept, mustRefuse, notMet, untold } from '../judge.ts';

// UserInfo: the second source of claims about a user (OIDC Core §5.3).

const noUserInfo = 'The app does not ask for UserInfo.';

const carries = (request: RecordedRequest) => request.header('authorization') !== undefined;

/** The claims of UserInfo, and how the app asks for them. */
export const userInfoModules: readonly ExamModule[] = [
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
  headerBeforeBody({
    id: 'userinfo-bearer-header',
    suite: 'oidcc-client-test-userinfo-bearer-header',
    title: 'UserInfo is asked with the access token in the header Authorization',
    references: ['RFC 6750 §2', 'RFC 9700 §4.3.2'],
    gain: 'An access token in an address is in logs, histories and Referer headers.',
    right: 'Sends Authorization: Bearer, and never the token in the address.',
    mend: 'Send the header Authorization, as each library does unless it is told otherwise.',
  }),
  mustAccept({
    id: 'aggregated-claims',
    suite: 'oidcc-client-test-aggregated-claims',
    title: 'UserInfo has claims of another provider in a JWT of that one',
    references: ['OIDC Core §5.6.2'],
    gain: 'People cannot sign in once the provider adds claims of somebody else.',
    right: 'Reads the claims from _claim_sources if it needs them, and ignores them if not.',
    mend: 'Read the claims that you need by their names.',
    absent: noUserInfo,
    faults: async stage => [withSource({ JWT: await signedAddress(stage) })],
  }),
  {
    id: 'distributed-claims',
    title: 'UserInfo says where another provider has more claims',
    references: ['OIDC Core §5.6.2'],
    gain: 'A source of claims gets the access token of each user, and asks the provider and the API with it.',
    right: 'Asks that address with the token that stands next to it, without one if there is none, or not at all.',
    mend: 'Send an access token to the addresses of its own provider alone.',
    async run(stage) {
      // an address that answers with JSON, and with no claims
      await stage.arm(withSource({ endpoint: `${await stage.endpoint('jwks_uri')}?distributed_claims=1` }));
      return stage.signIn();
    },
    judge(seen) {
      if (seen.baited.length === 0) return notMet(seen, noUserInfo);
      const asked = seen.requests.filter(({ query }) => query.has('distributed_claims'));
      const requests = [...seen.baited, ...asked];
      if (asked.some(carries)) return { verdict: 'fail', why: 'The app sent its access token there.', requests };
      if (seen.believed === undefined) return untold(requests);
      if (!seen.believed && asked.length > 0)
        return { verdict: 'inconclusive', why: 'The app asked there, and found no claims.', requests };
      if (!seen.believed) return { verdict: 'fail', why: 'The app refused it, although it is right.', requests };
      return { verdict: 'pass', why: 'The app signed in, and kept its access token to itself.', requests };
    },
  },
  {
    ...mustRefuse({
      id: 'userinfo-unsigned',
      title: 'UserInfo is not signed, although the app is registered for a signature',
      references: ['OIDC Core §5.3.2', 'OIDC Registration §2'],
      gain: 'Somebody between the app and the provider, such as a proxy, writes what UserInfo says.',
      right: 'Requires the Content-Type application/jwt, and verifies the signature.',
      mend: 'Give the library userinfo_signed_response_alg, as the app is registered.',
      absent: 'The app does not ask for UserInfo, or is not registered for userinfo_signed_response_alg.',
      faults: [],
    }),
    async run(stage) {
      const { clients } = stage.issuer;
      const signed = (await clients.get(stage.clientId))?.userinfo_signed_response_alg;
      if (signed === undefined) return stage.signIn();
      await clients.patch(stage.clientId, { userinfo_signed_response_alg: null });
      await stage.arm({ fault: 'changed_members', endpoint: 'userinfo', change: { grantbox_unsigned: true } });
      try {
        return await stage.signIn();
      } finally {
        await clients.patch(stage.clientId, { userinfo_signed_response_alg: signed });
      }
    },
  },
];

/** The access token never goes in the address, and in a body only where the app cannot set the header (RFC 6750 §2.2). */
function headerBeforeBody(words: ModuleWords): ExamModule {
  const module = mustAccept({
    ...words,
    absent: noUserInfo,
    faults: [],
    met: seen => seen.at('userinfo'),
    never: seen => seen.at('userinfo').filter(request => request.query.has('access_token')),
    without: 'The access token was sent in the address of UserInfo.',
  });
  return {
    ...module,
    judge(seen) {
      const judged = module.judge(seen);
      const inBody = seen.at('userinfo').filter(request => request.form.has('access_token'));
      if (judged.verdict !== 'pass' || inBody.length === 0) return judged;
      return { verdict: 'warn', why: 'The access token was sent in the body to UserInfo.', requests: inBody };
    },
  };
}

/** UserInfo that says where the address of the user is (OIDC Core §5.6.2). */
function withSource(source: Readonly<Record<string, string>>): AskedFault {
  const change = { _claim_names: { address: 'src1' }, _claim_sources: { src1: source } };
  return { fault: 'changed_members', endpoint: 'userinfo', change };
}

/** A JWT with an address, which an app that verifies it can verify. */
async function signedAddress({ issuer }: Stage): Promise<string> {
  const [client] = await issuer.clients.list(); // the app may have registered itself, and is not known here yet
  const claims = { address: { country: 'NL' } };
  return (await issuer.issueToken({ client: client?.client_id ?? '', format: 'jwt', claims })).token;
}
