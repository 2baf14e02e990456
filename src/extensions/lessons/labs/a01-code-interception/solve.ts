import { codeIn } from '../../bike-shop.ts';
import type { Participant } from '../../solver.ts';
import { codeOfVictim, labSolver, readBy } from '../attack-and-defend.ts';
import { logInAtShop, readProducts, redeemAtShop } from '../lab-shop.ts';

/** A shop that does not know PKCE, and that nobody attacks. */
async function honest(by: Participant): Promise<void> {
  const { url } = await logInAtShop(by, 'alice', { code_challenge: '', code_challenge_method: '' });
  const { access_token = '' } = await redeemAtShop(by, codeIn({ url }), { code_verifier: '' });
  await readProducts(by, access_token);
}

/** A shop with PKCE forgets its verifier, and sends the code again. */
async function refused(by: Participant): Promise<void> {
  const { url } = await logInAtShop(by, 'alice');
  await redeemAtShop(by, codeIn({ url }), { code_verifier: '' });
  await redeemAtShop(by, codeIn({ url }));
}

export const solver = labSolver({
  first: 'login',
  honest,
  refused,
  goal: {
    async solve(by) {
      await by.attack('victim');
      await readBy(by, await codeOfVictim(by), { code_verifier: '' });
    },
    nearMisses: {
      "a sign-in of one's own as Alice": { does: honest },
      'the defence is on': {
        async does(by) {
          await by.defend(true);
          await by.attack('victim');
          await readBy(by, await codeOfVictim(by), { code_verifier: '' });
        },
      },
    },
  },
});
