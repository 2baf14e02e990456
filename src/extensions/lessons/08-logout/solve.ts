import { authorize, logIn, redeem } from '../bike-shop.ts';
import { basic, type LessonSolver, type Participant } from '../solver.ts';

type Tokens = Readonly<Record<string, string>>;

/** Signs in at the shop and at the demo application, which needs no further consent. */
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

export const solver: LessonSolver = {
  logout: {
    solve: async by => void (await loggedOut(by)),
    // without the hint the server shows a question, and nobody answers it
    nearMiss: async by => {
      await signInTwice(by);
      await by.open('/connect/logout');
    },
  },
  told: {
    solve: async by => void (await loggedOut(by)),
    // nobody signed in at the demo application
    nearMiss: async by => logOut(by, (await redeem(by, await logIn(by))).body),
  },
  silent: {
    async solve(by) {
      await loggedOut(by);
      await authorize(by, { prompt: 'none' });
    },
    // Bob is still logged in
    async nearMiss(by) {
      await signInTwice(by);
      await authorize(by, { prompt: 'none' });
    },
  },
  alive: {
    solve: async by => callApi(by, await loggedOut(by)),
    async nearMiss(by) {
      const tokens = await signInTwice(by);
      await callApi(by, tokens);
      await logOut(by, tokens);
    },
  },
  ask: {
    solve: async by => ask(by, await loggedOut(by)),
    nearMiss: async by => ask(by, await signInTwice(by)),
  },
};
