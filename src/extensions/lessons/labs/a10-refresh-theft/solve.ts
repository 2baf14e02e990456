import { codeIn } from '../../bike-shop.ts';
import type { Participant } from '../../solver.ts';
import { labSolver, newest, tokenOfVictim } from '../attack-and-defend.ts';
import { logInAtShop, readProducts, redeemAtShop } from '../lab-shop.ts';

/** The refresh token in the log of the shop: the one of the sign-in, which is not the newest where the server rotates. */
async function stolenFrom({ issuer }: Participant): Promise<string> {
  type Issued = { readonly token: string; readonly tokenType: string; readonly grant_type?: string };
  const isFirst = ({ tokenType, grant_type }: Issued) => tokenType === 'refresh' && grant_type === 'authorization_code';
  return (await newest(issuer, 'token.issued', isFirst)).token;
}

/** Refreshes like somebody with curl, and reads the products. */
async function live(by: Participant, refresh_token: string): Promise<void> {
  const form = { grant_type: 'refresh_token', client_id: 'lab-shop', refresh_token };
  const { access_token = '' } = (await by.call('/oauth2/token', { form })).body;
  await readProducts(by, access_token);
}

export const solver = labSolver({
  first: 'login',
  goal: {
    async solve(by) {
      await by.attack('victim');
      await live(by, await stolenFrom(by));
    },
    nearMisses: {
      'only the access token of Alice': {
        async does(by) {
          await by.attack('victim');
          await readProducts(by, await tokenOfVictim(by, 'access'));
        },
      },
      "a sign-in of one's own, refreshed twice": {
        async does(by) {
          const { url } = await logInAtShop(by, 'mallory');
          const { refresh_token = '' } = await redeemAtShop(by, codeIn({ url }));
          await live(by, refresh_token);
          await live(by, refresh_token);
        },
      },
      'the defence is on': {
        also: ['again'],
        async does(by) {
          await by.defend(true);
          await by.attack('victim');
          await live(by, await stolenFrom(by));
        },
      },
    },
  },
});
