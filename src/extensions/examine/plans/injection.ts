import { send } from '../../../server/wire/send.ts';
import type { ExamModule, Stage, Taken } from '../exam-module.ts';
import { after, mustAccept, mustRefuse, notMet, observed, startsOf, untold } from '../judge.ts';

// Responses that somebody else wrote or changed: RFC 9700 §2.1.2, §4.5 and §4.6.

const noStart = 'The app sent no authorization request.';

/** The code, a token or an error of somebody else. */
export const injectionModules: readonly ExamModule[] = [
  {
    ...mustRefuse({
      id: 'code-injection',
      title: 'The authorization response has a code of another session',
      references: ['RFC 9700 §2.1.1', 'RFC 9700 §4.5'],
      gain: 'Somebody who has seen the code of a user puts it into their own sign-in, and is that user.',
      right: 'Sends code_challenge or nonce with each request, so that a code of another session is worth nothing.',
      mend: 'Switch PKCE on in the library, never send the token request again without its verifier, and compare nonce.',
      absent: 'The app did not sign in, or the provider gives it no code without code_challenge.',
      faults: [],
    }),
    async run(stage) {
      const first = await stage.signIn();
      const code = first.believed === true ? await unprotectedCode(stage) : undefined;
      if (code === undefined) return first;
      await stage.arm({ fault: 'changed_parameters', change: { code } });
      return stage.signIn();
    },
  },
  {
    ...mustRefuse({
      id: 'token-in-response',
      title: 'The authorization response has an access token, and no code',
      references: ['RFC 9700 §2.1.2', 'RFC 9700 §4.6'],
      gain: 'An app where somebody signed in takes the access token it got, and is that person here.',
      right: 'Takes tokens from the token endpoint alone.',
      mend: 'Let the library read the response, and read access_token from no address.',
      absent: 'The app did not sign in.',
      faults: [],
    }),
    async run(stage) {
      const first = await stage.signIn();
      const issued = stage.issuer.events.latest('code.issued', 1)[0];
      if (first.believed !== true || issued === undefined) return first;
      const { client_id: client, sub: user, scope } = issued;
      const { token } = await stage.issuer.issueToken({ client, user, scope, format: 'jwt' });
      const change = { code: null, access_token: token, token_type: 'Bearer', expires_in: '300' };
      await stage.arm({ fault: 'changed_parameters', change });
      return stage.signIn();
    },
  },
  mustRefuse({
    id: 'error-and-code',
    title: 'The authorization response has an error next to its code',
    references: ['RFC 6749 §4.1.2.1'],
    gain: 'Somebody whom the provider refused is signed in.',
    right: 'Reads error before code, and sends no token request.',
    mend: 'Look at the parameter error of the redirect first, and say what happened.',
    absent: noStart,
    faults: [{ fault: 'changed_parameters', change: { error: 'access_denied' } }],
    never: (seen, met) => after(seen, met, 'token'),
  }),
  {
    id: 'error-markup',
    title: 'The description of an error is HTML with a picture',
    references: ['RFC 6749 §4.1.2.1', 'RFC 6749 §10.14'],
    gain: 'Somebody sends a link to the app whose error page runs their script.',
    right: 'Shows the description as text, or not at all.',
    mend: 'Escape error and error_description on the page, as each value that comes from outside.',
    async run(stage) {
      const picture = `${await stage.endpoint('jwks_uri')}?drawn=1`;
      const error_description = `<img src="${picture}" alt="">`;
      await stage.arm({
        fault: 'changed_parameters',
        change: { code: null, error: 'access_denied', error_description },
      });
      return stage.signIn();
    },
    judge(seen) {
      if (seen.baited.length === 0) return notMet(seen, noStart);
      const drawn = seen.requests.filter(({ query }) => query.has('drawn'));
      const requests = [...seen.baited, ...drawn];
      if (drawn.length > 0) return { verdict: 'fail', why: 'The page of the app drew the picture.', requests };
      if (seen.believed === undefined) return untold(requests);
      return notMet(
        seen,
        'No picture was asked for. The examiner does not see the page of the app, so it cannot say more.',
      );
    },
  },
  {
    id: 'mix-up',
    title: 'The metadata of one issuer sends people to a second one that the app knows',
    references: ['RFC 9700 §4.4', 'RFC 9207 §2.4'],
    gain: 'One provider of an app, which an attacker runs, gets the code of another one, and is its user (mix-up).',
    right: 'Compares iss of the response with the issuer whose sign-in it began, and not with all that it knows.',
    mend: 'Keep the issuer with the state of the sign-in, and give the library the metadata of this one.',
    run: mixedUp,
    judge(seen) {
      if (seen.baited.length === 0)
        return notMet(seen, 'The app knows one issuer alone, or did not ask for its metadata.');
      const sent = after(seen, seen.baited, 'token').filter(request => request.value('code') !== undefined);
      const requests = [...seen.baited, ...sent];
      if (sent.length > 0)
        return { verdict: 'fail', why: 'The app sent the code of one issuer to the other.', requests };
      if (seen.believed === undefined) return untold(requests);
      if (seen.believed) return notMet(seen, 'The app sent nobody to the second issuer.');
      const isBack = seen.elsewhere.filter(request => request.fact('code.issued') !== undefined).length > 1;
      const why = isBack ? 'The app refused it.' : 'The browser did not come back from the second issuer.';
      return { verdict: isBack ? 'pass' : 'inconclusive', why, requests };
    },
  },
  mustAccept({
    id: 'reversed-parameters',
    title: 'The parameters of the authorization response come in another order',
    references: ['RFC 6749 §4.1.2'],
    gain: 'Nobody can sign in once the provider writes iss before code.',
    right: 'Reads the parameters by their names.',
    mend: 'Read the address with URLSearchParams, and not by its position or by a regular expression.',
    absent: noStart,
    faults: [{ fault: 'reversed_parameters' }],
  }),
  observed({
    id: 'implicit-grant',
    title: 'No access token comes through the browser',
    references: ['RFC 9700 §2.1.2'],
    gain: 'Histories, logs, extensions and Referer headers keep the token, and nobody can bind it to the app.',
    right: 'Uses response_type=code.',
    mend: 'Ask for response_type=code, and redeem the code with PKCE.',
    absent: noStart,
    otherwise: 'warn', // the specification says SHOULD NOT
    met: startsOf,
    wrong: seen => startsOf(seen).filter(request => request.value('response_type')?.split(' ').includes('token')),
    found: 'The app asks for an access token in the authorization response.',
  }),
  observed({
    id: 'password-grant',
    title: 'No password goes through the app',
    references: ['RFC 9700 §2.4'],
    gain: 'The app, and who breaks into it, gets the passwords of its users, and no second factor helps.',
    right: 'Sends people to the provider, and never asks for a token with their password.',
    mend: 'Remove grant_type=password, and use the authorization code.',
    absent: noStart,
    met: startsOf,
    wrong: seen => seen.at('token').filter(request => request.value('grant_type') === 'password'),
    found: 'The app sent a password to the token endpoint.',
  }),
];

/** A code of another session that is tied to no verifier and no nonce; undefined if the provider gives none to this app. */
async function unprotectedCode({ issuer, endpoint }: Stage): Promise<string | undefined> {
  const issued = issuer.events.latest('code.issued', 1)[0];
  if (issued === undefined) return undefined;
  const { client_id, sub, redirect_uri = '', scope = '' } = issued;
  const query = new URLSearchParams({ response_type: 'code', client_id, scope, redirect_uri });
  await issuer.nextLogin({ sub, action: 'approve' });
  const options = { headers: { 'Grantbox-Tool': 'examine' }, timeoutSeconds: 10, rejectUnauthorized: false };
  const { headers } = await send(`${await endpoint('authorization_endpoint')}?${query}`, options);
  return new URL(headers.location ?? 'about:blank').searchParams.get('code') ?? undefined;
}

/** Signs in by a second issuer, so that the app knows it, and then by the first one, which sends the browser there. */
async function mixedUp(stage: Stage): Promise<Taken> {
  const second = await stage.another();
  const known = await stage.signIn({ by: second, second: stage.issuer }); // an app that knows one issuer goes there
  if (known.believed !== true || second.events.count('code.issued') === 0) return known;
  const authorization_endpoint = await stage.endpoint('authorization_endpoint', second);
  await stage.arm({ fault: 'changed_members', endpoint: 'discovery', change: { authorization_endpoint } });
  return stage.signIn({ second });
}
