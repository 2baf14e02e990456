import type { Participant } from '../../solver.ts';
import { labSolver } from '../attack-and-defend.ts';

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

export const solver = labSolver({
  first: 'start',
  // Mallory allows his own request: no account of somebody else is lost
  honest: by => decide(by, 'mallory', 'device-allow'),
  refused: by => decide(by, 'alice', 'device-deny'),
});
