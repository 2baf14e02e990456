import { authorize, logIn, redeem } from '../bike-shop.ts';
import { basic, type LessonSolver, type Participant } from '../solver.ts';

type Tokens = Readonly<Record<string, string>>;

/** Signs in at the shop and at the demo app, which needs no further consent. */
async function signInTwice(by: Participant): Promise<Tokens> {
  const tokens: Tokens = (await redeem(by, await logIn(by))).body;
  await by.submit(await by.submit(await by.open('/demo-app'), 'app-register'), 'app-sign-in');
  return tokens;
}

async function logOut(by: Participant, { id_token = '' }: Tokens): Promise<void> {
  await by.open(`/connect/logout?${new URLSearchParams({ id_token_hint: id_token })}`);
}

/** Returns the tokens of the ended session. */
async function loggedOut(by: Participant): Promise<Tokens> {
  const tokens = await signInTwice(by);
  await logOut(by, tokens);
  return tokens;
}

async function callApi(by: Participant, { access_token }: Tokens): Promise<void> {
  await by.call('/api/products', { headers: { Authorization: `Bearer ${access_token}` } });
}

async function ask(by: Participant, { access_token = '' }: Tokens): Promise<void> {
  const headers = { Authorization: basic('shop-api', 'pump') };
  await by.call('/oauth2/introspect', { form: { token: access_token }, headers });
}

async function oneTooFew(by: Participant): Promise<Tokens> {
  const tokens: Tokens = (await redeem(by, await logIn(by))).body;
  await logOut(by, tokens);
  return tokens;
}

const reload = async (by: Participant) => void (await by.open('/demo-app'));

export const solver: LessonSolver = {
  logout: {
    solve: async by => void (await loggedOut(by)),
    nearMisses: {
      'without the hint the server asks, and nobody answers': {
        async does(by) {
          await signInTwice(by);
          await by.open('/connect/logout');
        },
      },
      'nobody signed in at the demo app': { does: async by => void (await oneTooFew(by)) },
      'the shop signed out before the demo app was signed in': {
        async does(by) {
          const tokens = await oneTooFew(by);
          const signIn = await by.submit(await by.submit(await by.open('/demo-app'), 'app-register'), 'app-sign-in');
          await by.submit(signIn, 'login-user-bob');
          await logOut(by, tokens);
        },
        state: 'close',
        says: 'Sign in to the shop again',
      },
      'a typo in the hint': {
        async does(by) {
          const { id_token } = await signInTwice(by);
          await logOut(by, { id_token: `${id_token}x` });
        },
      },
    },
  },
  told: {
    async solve(by) {
      await loggedOut(by);
      await reload(by);
    },
    nearMisses: {
      'nobody looked': { does: async by => void (await loggedOut(by)), also: ['logout'] },
      'nobody signed in at the demo app': {
        async does(by) {
          await oneTooFew(by);
          await reload(by);
        },
      },
      'a look before the logout': {
        async does(by) {
          const tokens = await signInTwice(by);
          await reload(by);
          await logOut(by, tokens);
        },
        also: ['logout'],
      },
    },
  },
  silent: {
    async solve(by) {
      await loggedOut(by);
      await authorize(by, { prompt: 'none' });
    },
    nearMisses: {
      'Bob is still signed in': {
        async does(by) {
          await signInTwice(by);
          await authorize(by, { prompt: 'none' });
        },
      },
      'a sign-in page': {
        async does(by) {
          await loggedOut(by);
          await authorize(by);
        },
        also: ['logout'],
      },
      'a typo in the prompt': {
        async does(by) {
          await loggedOut(by);
          await authorize(by, { prompt: 'non' });
        },
        also: ['logout'],
      },
    },
  },
  alive: {
    solve: async by => callApi(by, await loggedOut(by)),
    nearMisses: {
      'before the logout': {
        async does(by) {
          const tokens = await signInTwice(by);
          await callApi(by, tokens);
          await logOut(by, tokens);
        },
        also: ['logout'],
      },
      'a typo in the token': {
        async does(by) {
          const { access_token } = await loggedOut(by);
          await callApi(by, { access_token: `${access_token}x` });
        },
        also: ['logout'],
      },
      'a question to the server, as in the next task': {
        does: async by => ask(by, await loggedOut(by)),
        also: ['logout', 'ask'],
      },
    },
  },
  ask: {
    solve: async by => ask(by, await loggedOut(by)),
    nearMisses: {
      'before the logout': { does: async by => ask(by, await signInTwice(by)) },
      'a typo in the token': {
        async does(by) {
          const { access_token } = await loggedOut(by);
          await ask(by, { access_token: `${access_token}x` });
        },
        also: ['logout'],
      },
    },
  },
};
