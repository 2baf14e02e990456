import type { Page } from 'playwright-core';
import type { Sandbox } from '../../../../src/index.ts';
import { authorizationUrl } from '../../../support/authorization-url.ts';
import { post } from '../../../support/wire.ts';
import type { Stop } from './stop.ts';
import { tv, type World } from './world.ts';

/** Signs in by a click, up to the page of the application. */
async function signIn(page: Page, sandbox: Sandbox, { callback }: World): Promise<void> {
  await page.goto(authorizationUrl(sandbox, callback));
  await page.getByTestId('login-user-alice').click();
  await page.waitForURL(`${callback}?*`);
}

/** An application with everything it may say of itself. */
async function registerApp({ url }: Sandbox, { app, callback }: World): Promise<string> {
  const addresses = { client_uri: 'https://app.example/', policy_uri: 'https://app.example/privacy' };
  const more = { tos_uri: 'https://app.example/terms', logo_uri: `${app.origin}/logo.svg` };
  const registered = { redirect_uris: [callback], token_endpoint_auth_method: 'none', scope: 'openid email' };
  const response = await fetch(`${url}/connect/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'A long name of an app '.repeat(4), ...registered, ...addresses, ...more }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  return client_id;
}

/** A device that waits; the address of its page. */
export async function startDevice({ asked }: World): Promise<string> {
  const form = { client_id: 'tv', scope: tv.scope ?? '', resource: `https://${'long.'.repeat(20)}example/tv` };
  const response = await post(`${asked.url}/oauth2/device_authorization`, form);
  return ((await response.json()) as { verification_uri_complete: string }).verification_uri_complete;
}

async function startApproval({ asked }: World, parameters: Readonly<Record<string, string>>): Promise<void> {
  const authorization = `Basic ${Buffer.from('bank:bank-secret').toString('base64')}`;
  const form = { scope: 'openid profile', login_hint: 'alice', ...parameters };
  await (await post(`${asked.url}/oauth2/bc-authorize`, form, { authorization })).arrayBuffer();
}

const openDevice: Stop = async (page, world) => {
  await page.goto(await startDevice(world));
  await page.getByTestId('login-user-alice').click();
  await page.getByTestId('device-allow').waitFor();
};

const openApprovals: Stop = async (page, world) => {
  await startApproval(world, { binding_message: 'W4SCT' });
  await startApproval(world, {});
  await page.goto(`${world.asked.url}/approvals`);
  await page.getByTestId('login-user-alice').click();
  await page.getByTestId('approval-allow').first().waitFor();
};

/** The pages of users and their browsers, with everything on them that can be unfolded. */
export const gateStops: Readonly<Record<string, Stop>> = {
  'login picker': (page, { used, callback }) =>
    page.goto(authorizationUrl(used, callback, { login_hint: 'bob', acr_values: 'a b' })),
  'login picker without scope': (page, { used, callback }) =>
    page.goto(authorizationUrl(used, callback, { scope: '' })),
  'login picker with many users': async (page, { crowded, callback }) => {
    await page.goto(authorizationUrl(crowded, callback));
    await page.getByTestId('login-search').fill('user-1');
  },
  'login picker after a refused subject': async (page, { used, callback }) => {
    await page.goto(authorizationUrl(used, callback));
    await page.getByText('Someone else').click();
    await page.getByTestId('login-sub').fill('Zoë');
    await page.getByTestId('login-submit').click();
    await page.getByRole('alert').waitFor();
  },
  'claims editor, filled in, with the tokens it gives': async (page, { used, callback }) => {
    await page.goto(authorizationUrl(used, callback));
    await page.getByText('Someone else').click();
    await page.getByTestId('login-fill-in').click();
    await page.getByRole('button', { name: 'tenant' }).click();
    await page.getByTestId('login-preview').click();
    await page.getByTestId('login-previewed').waitFor();
  },
  'claims editor with a mistake': async (page, { used, callback }) => {
    await page.goto(authorizationUrl(used, callback));
    await page.getByText('Someone else').click();
    await page.getByTestId('login-sub').fill('alice');
    await page.getByTestId('login-claims').fill(`{"${'long'.repeat(40)}": 1, 'iss': 2}`);
    await page.getByTestId('login-submit').click();
    await page.getByTestId('login-claims-problem').waitFor();
  },
  'no answer': async (page, { used, callback }) => {
    await page.goto(authorizationUrl(used, `${callback}?${'long'.repeat(40)}`));
    await page.getByTestId('login-fail').click();
    await page.getByTestId('login-error-no_answer').click();
    await page.getByRole('heading', { name: 'No response was sent' }).waitFor();
  },
  'password mode': (page, { strict, callback }) => page.goto(authorizationUrl(strict, callback)),
  'password mode after a wrong one': async (page, { strict, callback }) => {
    await page.goto(authorizationUrl(strict, callback));
    await page.getByTestId('login-username').fill('nobody');
    await page.getByTestId('login-submit').click();
    await page.getByRole('alert').waitFor();
  },
  'continue as': async (page, world) => {
    await signIn(page, world.used, world);
    await page.goto(authorizationUrl(world.used, world.callback, { prompt: 'select_account' }));
  },
  consent: async (page, world) => {
    await signIn(page, world.used, world);
    const claims = JSON.stringify({ userinfo: { phone_number: null } });
    const payment = { type: 'payment_initiation', instructedAmount: { currency: 'EUR', amount: '9.00' } };
    const authorization_details = JSON.stringify([{ ...payment, creditorName: 'A merchant with a '.repeat(9) }]);
    const parameters = { prompt: 'consent', claims, authorization_details };
    await page.goto(authorizationUrl(world.used, world.callback, parameters));
  },
  'consent to nothing': async (page, world) => {
    await signIn(page, world.used, world);
    await page.goto(authorizationUrl(world.used, world.callback, { prompt: 'consent', scope: '' }));
  },
  'consent to an unknown application': async (page, world) => {
    await signIn(page, world.used, world);
    const client_id = await registerApp(world.used, world);
    await page.goto(authorizationUrl(world.used, world.callback, { client_id, scope: 'openid email' }));
  },
  'error page': (page, { used, callback }) =>
    page.goto(authorizationUrl(used, callback, { redirect_uri: 'https://evil.example/callback' })),
  'error page, of an unknown client': (page, { used, callback }) =>
    page.goto(authorizationUrl(used, callback, { client_id: `front${'-end'.repeat(40)}` })),
  'logout confirmation': async (page, world) => {
    await signIn(page, world.used, world);
    await page.goto(`${world.used.url}/connect/logout?client_id=frontend`);
  },
  'signed out': async (page, world) => {
    await signIn(page, world.used, world);
    await page.goto(`${world.used.url}/connect/logout`);
    await page.getByTestId('logout-confirm').click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  },
  'logout confirmation with the clients of the session': async (page, world) => {
    await signIn(page, world.told, world);
    await page.goto(`${world.told.url}/connect/logout`);
  },
  'signed out, with who was told': async (page, world) => {
    await signIn(page, world.told, world);
    await page.goto(`${world.told.url}/connect/logout`);
    await page.getByTestId('logout-confirm').click();
    await page.getByTestId('logout-notices').waitFor();
  },
  'demo application, not registered': async (page, { fresh }) => page.goto(`${fresh.url}/demo-app`),
  'demo application after a refusal, with an account': async (page, { used }) => {
    await page.goto(`${used.url}/demo-app`);
    const register = page.getByTestId('app-register');
    if (await register.isVisible()) await register.click();
    await page.getByTestId('app-sign-in').click();
    await page.getByTestId('login-user-alice').click();
    await page.getByTestId('app-accounts').waitFor();
    await page.goto(`${used.url}/demo-app/callback?code=none&state=none`);
  },
  'page of the session check': (page, { used }) => page.goto(`${used.url}/connect/check_session`),
  'nobody was signed in': (page, { used }) => page.goto(`${used.url}/connect/logout`),
  'sign-in for a device': async (page, world) => page.goto(await startDevice(world)),
  'sign-in for approvals, with a password': (page, { strict }) => page.goto(`${strict.url}/approvals`),
  'code of a device': async (page, world) => {
    await openDevice(page, world);
    await page.goto(`${world.asked.url}/oauth2/device_verification`);
  },
  'code of a device after a wrong one': async (page, world) => {
    await openDevice(page, world);
    await page.goto(`${world.asked.url}/oauth2/device_verification?user_code=nonsense`);
  },
  'device to be allowed': openDevice,
  'device allowed': async (page, world) => {
    await openDevice(page, world);
    await page.getByTestId('device-allow').click();
    await page.getByRole('heading', { name: 'Done. Go back to the device.' }).waitFor();
  },
  approvals: openApprovals,
  'approvals after one': async (page, world) => {
    await openApprovals(page, world);
    await page.getByTestId('approval-deny').first().click();
    await page.getByRole('status').waitFor();
  },
  'no approvals': async (page, { fresh }) => {
    await page.goto(`${fresh.url}/approvals`);
    await page.getByTestId('login-user-carol').click();
    await page.getByRole('heading', { name: 'Pending approvals for' }).waitFor();
  },
};
