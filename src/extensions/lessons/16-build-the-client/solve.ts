import type { LessonSolver, Participant } from '../solver.ts';
import { type Shop, solutionOf, withShop } from './shop.ts';

type Deed = (by: Participant) => Promise<void>;

const [makeState = '', compareState = ''] = solutionOf('state');
const [makeVerifier = '', redeem = ''] = solutionOf('pkce');
const [compareIssuer = ''] = solutionOf('iss');
const [makeNonce = '', compareNonce = ''] = solutionOf('nonce');
const [checkToken = ''] = solutionOf('id-token');
const [callApi = ''] = solutionOf('header');
const [sayWho = ''] = solutionOf('secret');
const [refresh = ''] = solutionOf('refresh');
const [signOut = ''] = solutionOf('logout');

/** All nine places. */
const whole = [
  ...[makeState, compareState, makeVerifier, redeem, compareIssuer, makeNonce, compareNonce],
  ...[checkToken, callApi, sayWho, refresh, signOut],
];

/** Replaces the line with the comment, so that a block stands at a different place. */
function movedTo(comment: string, block: string): string {
  return block.replace(/^.*$/m, `  ${comment}`);
}

/** A block without the lines that have this text. */
function without(block: string, text: string): string {
  const lines = block.split('\n');
  return lines.filter(line => !line.includes(text)).join('\n');
}

async function order(by: Participant, fault: string, more = {}): Promise<void> {
  await by.call('/_sandbox/faults', { json: { fault, ...more } });
}

async function later(by: Participant): Promise<void> {
  await by.call('/_sandbox/clock', { json: { advance: '6m' } });
}

/** Runs the shop with these places mended, and uses it. */
function shop(blocks: readonly string[], use: (shop: Shop, by: Participant) => Promise<unknown>): Deed {
  return by => withShop(by, blocks, async here => void (await use(here, by)));
}

const signIns =
  (times: number) =>
  async (here: Shop): Promise<void> => {
    for (let done = 0; done < times; done++) await here.signIn();
  };

/** A sign-in after each of these orders, and one without. */
const refusing =
  (faults: readonly string[], more = {}) =>
  async (here: Shop, by: Participant): Promise<void> => {
    for (const fault of faults) {
      await order(by, fault, more);
      await here.signIn();
    }
    await here.signIn();
  };

const idFaults = ['bad_signature', 'wrong_issuer', 'wrong_audience', 'expired'];
const ofIdToken = { token: 'id' };

async function expireTwice(here: Shop, by: Participant): Promise<void> {
  await here.signIn();
  for (let times = 0; times < 2; times++) {
    await later(by);
    await here.open('/');
  }
}

async function leave(here: Shop): Promise<void> {
  await here.signIn();
  await here.open('/sign-out');
}

/** All that the report wants to see. */
async function examination(here: Shop, by: Participant, last = '/sign-out'): Promise<void> {
  await refusing(['wrong_state', 'wrong_iss'])(here, by);
  await later(by);
  await here.open('/');
  await here.open(last);
}

export const solver: LessonSolver = {
  run: {
    solve: shop([], signIns(1)),
    nearMisses: {
      'Bob in place of Alice': { does: shop([], here => here.signIn('bob')), says: 'That was Bob' },
      'the sign-in is not finished': { does: shop([], here => here.open('/sign-in')) },
    },
  },
  state: {
    solve: shop([makeState, compareState], refusing(['wrong_state'])),
    nearMisses: {
      'made, and not compared': {
        does: shop([makeState], refusing(['wrong_state'])),
        also: ['run'],
        state: 'close',
        says: 'redeemed its code',
      },
      'compared after the code was redeemed': {
        does: shop([makeState, movedTo('// 5. Compare the nonce.', compareState)], refusing(['wrong_state'])),
        also: ['run'],
        says: 'redeemed its code',
      },
      'the same state each time': {
        does: shop([makeState.replace(/randomBytes.*;/, "'xyz';"), compareState], refusing(['wrong_state'])),
        also: ['run'],
        says: 'the one of an earlier sign-in',
      },
      'no wrong response was ordered': { does: shop([makeState, compareState], signIns(2)), also: ['run'] },
    },
  },
  pkce: {
    solve: shop([makeVerifier, redeem], signIns(2)),
    nearMisses: {
      'one sign-in': { does: shop([makeVerifier, redeem], signIns(1)), also: ['run'] },
      'the same verifier each time': {
        does: shop([makeVerifier.replace(/randomBytes\(32\)/, "Buffer.alloc(32, 'x')"), redeem], signIns(2)),
        also: ['run'],
      },
      'the verifier is not sent': { does: shop([makeVerifier], signIns(2)), says: 'the verifier was not' },
      'the challenge is the verifier': {
        does: shop([makeVerifier.replace(/createHash.*;/, 'session.verifier;'), redeem], signIns(2)),
        says: 'not the one of the challenge',
      },
    },
  },
  iss: {
    solve: shop([compareIssuer], refusing(['wrong_iss'])),
    nearMisses: {
      'not compared': {
        does: shop([], refusing(['wrong_iss'])),
        also: ['run'],
        state: 'close',
        says: 'came from somebody else',
      },
      'compared after the code was redeemed': {
        does: shop([movedTo('// 5. Compare the nonce.', compareIssuer)], refusing(['wrong_iss'])),
        also: ['run'],
        says: 'came from somebody else',
      },
      'compared with a typo: the good response is refused, too': {
        does: shop([compareIssuer.replace('!== issuer', "!== issuer + '/'")], refusing(['wrong_iss'])),
      },
    },
  },
  nonce: {
    solve: shop([makeNonce, compareNonce], refusing(['wrong_nonce'], ofIdToken)),
    nearMisses: {
      'made, and not compared': {
        does: shop([makeNonce], refusing(['wrong_nonce'], ofIdToken)),
        also: ['run'],
        state: 'close',
        says: 'went on to the API',
      },
      'the same nonce each time': {
        does: shop([makeNonce.replace(/randomBytes.*;/, "'n';"), compareNonce], refusing(['wrong_nonce'], ofIdToken)),
        also: ['run'],
        says: 'the one of an earlier sign-in',
      },
      'compared where there is one': {
        does: shop(
          [makeNonce, compareNonce.replace('claims.nonce !==', 'session.missing && claims.nonce !==')],
          refusing(['wrong_nonce'], ofIdToken),
        ),
        also: ['run'],
      },
    },
  },
  'id-token': {
    solve: shop([checkToken], refusing(idFaults, ofIdToken)),
    nearMisses: {
      'the signature alone': {
        does: shop([without(checkToken, 'claims.')], refusing(idFaults, ofIdToken)),
        also: ['run'],
        state: 'close',
        says: 'believed a bad token',
      },
      'the claims alone': {
        does: shop([without(checkToken, 'isGenuine)')], refusing(idFaults, ofIdToken)),
        also: ['run'],
      },
      'exp is not compared': {
        does: shop([without(checkToken, 'claims.exp')], refusing(idFaults, ofIdToken)),
        also: ['run'],
      },
      'three of the four': {
        does: shop([checkToken], refusing(idFaults.slice(1), ofIdToken)),
        also: ['run'],
      },
    },
  },
  header: {
    solve: shop([callApi], signIns(1)),
    nearMisses: {
      'in both places, as it was': {
        does: shop([], signIns(2)),
        also: ['run'],
        state: 'close',
        says: 'in the address of your call',
      },
      'no token at all': { does: shop([callApi.replace(/, \{ headers.*\}\);/, ');')], signIns(1)) },
      'without the word Bearer': { does: shop([callApi.replace('Bearer ', '')], signIns(1)) },
    },
  },
  secret: {
    solve: shop([sayWho], signIns(1)),
    nearMisses: {
      'in both requests, as it was': { does: shop([], signIns(1)), also: ['run'] },
      'in none of them': {
        async does(by) {
          const tokens = redeem.replace('ask({', "ask({ client_secret: '',").replace(/, code_verifier.* \}/, ' }');
          await shop([sayWho, tokens], signIns(1))(by);
        },
        says: '`ask` must send it',
      },
    },
  },
  refresh: {
    solve: shop([refresh], expireTwice),
    nearMisses: {
      'the new refresh token is thrown away': {
        does: shop([refresh.replace('};', ', refresh_token };')], expireTwice),
        also: ['run'],
        says: 'used up',
      },
      'the API is not called again': { does: shop([without(refresh, 'response = ')], expireTwice), also: ['run'] },
      'no refresh, as it was': {
        does: shop([], expireTwice),
        also: ['run'],
        says: 'did not refresh',
      },
      'one time': {
        async does(by) {
          await shop([refresh], async here => {
            await here.signIn();
            await later(by);
            await here.open('/');
          })(by);
        },
        also: ['run'],
      },
    },
  },
  logout: {
    solve: shop([signOut], leave),
    nearMisses: {
      'at the shop alone, as it was': { does: shop([], leave), also: ['run'] },
      'without the ID token': {
        does: shop([signOut.replace('id_token_hint: id_token, ', 'client_id, ')], async (here, by) => {
          await here.signIn();
          await by.submit(await here.open('/sign-out'), 'logout-confirm');
        }),
        also: ['run'],
        says: 'no `id_token_hint`',
      },
      'an address that is not registered': {
        does: shop([signOut.replace(': home', ": 'https://bike-shop.example/'")], leave),
        also: ['run'],
        says: 'cannot tell that this `post_logout_redirect_uri` is of the shop',
      },
    },
  },
  report: {
    solve: shop(whole, examination),
    nearMisses: {
      'nobody cleared the history': {
        async does(by) {
          await shop([], signIns(1))(by);
          await shop(whole, examination)(by);
        },
        also: ['run', 'state', 'iss', 'header', 'secret', 'logout'],
        state: 'not yet',
      },
      'no wrong response was ordered': {
        does: shop(whole, async (here, by) => {
          await here.signIn();
          await later(by);
          await here.open('/');
          await here.open('/sign-out');
        }),
        also: ['run', 'header', 'secret', 'logout'],
        state: 'not yet',
      },
      'nobody signed out': {
        does: shop(whole, (here, by) => examination(here, by, '/')),
        also: ['run', 'state', 'iss', 'header', 'secret'],
        state: 'not yet',
      },
    },
  },
};
