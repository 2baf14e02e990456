import { codeIn } from '../../bike-shop.ts';
import type { Participant } from '../../solver.ts';
import { labSolver } from '../attack-and-defend.ts';
import { logInAtShop, readProducts, redeemAtShop } from '../lab-shop.ts';

const client_secret = 'shop-secret';

/** Two sign-ins: one without PKCE, whose client sends no verifier, and one with both parts of PKCE. */
async function honest(by: Participant): Promise<void> {
  const { url } = await logInAtShop(by, 'alice', { code_challenge: '', code_challenge_method: '' });
  const { access_token = '' } = await redeemAtShop(by, codeIn({ url }), { client_secret, code_verifier: '' });
  await readProducts(by, access_token);
  await withPkce(by);
}

async function withPkce(by: Participant): Promise<void> {
  const { url } = await logInAtShop(by, 'mallory', { prompt: 'login' }); // the browser knows Alice already
  await redeemAtShop(by, codeIn({ url }), { client_secret });
}

export const solver = labSolver({ first: 'strip', honest, refused: withPkce });
