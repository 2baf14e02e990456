import { describe, expect, it } from 'vitest';
import type { ClientEntry } from '../../src/index.ts';
import { scripts } from '../support/matrix.ts';
import { post } from '../support/wire.ts';
import { setStage } from './support/stage.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const cibaGrant = 'urn:openid:params:grant-type:ciba';
const tv: ClientEntry = { client_id: 'tv', client_name: 'Living-room TV', grant_types: [deviceGrant], scope: 'openid' };
const bank: ClientEntry = {
  client_id: 'bank',
  client_name: 'Bank',
  client_secret: 'bank-secret',
  grant_types: [cibaGrant],
  scope: 'openid',
};
const asBank = { authorization: `Basic ${Buffer.from('bank:bank-secret').toString('base64')}` };

const stage = setStage({ clients: [tv, bank], pollInterval: 1 });

async function json(
  path: string,
  form: Readonly<Record<string, string>>,
  headers = {},
): Promise<Record<string, string>> {
  return (await (await post(stage.sandbox.url + path, form, headers)).json()) as Record<string, string>;
}

function startDevice(): Promise<Record<string, string>> {
  return json('/oauth2/device_authorization', { client_id: 'tv', scope: 'openid' });
}

function pollDevice(device_code = ''): Promise<Record<string, string>> {
  return json('/oauth2/token', { grant_type: deviceGrant, client_id: 'tv', device_code });
}

describe.each(scripts)('the verification page, with scripts %s', (_name, options) => {
  it('connects a device with a typed code, a sign-in and a click', async () => {
    const device = await startDevice();
    const page = await stage.newPage(options);
    await page.goto(device.verification_uri ?? '');
    await page.getByTestId('login-user-alice').click();
    await page.getByTestId('device-code').fill((device.user_code ?? '').toLowerCase().replace('-', ''));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Done. Go back to the device.' }).waitFor();
    expect(await pollDevice(device.device_code)).toMatchObject({ token_type: 'Bearer' });
  });

  it('denies a device', async () => {
    const device = await startDevice();
    const page = await stage.newPage(options);
    await page.goto(device.verification_uri_complete ?? '');
    await page.getByTestId('login-user-bob').click();
    await page.getByTestId('device-deny').click();
    await page.getByRole('heading', { name: 'Denied. Nothing was connected.' }).waitFor();
    expect(await pollDevice(device.device_code)).toMatchObject({ error: 'access_denied' });
  });

  it('shows the code of the address and approves nothing by itself', async () => {
    const device = await startDevice();
    const page = await stage.newPage(options);
    await page.goto(device.verification_uri_complete ?? '');
    await page.getByTestId('login-user-alice').click();
    expect(await page.getByTestId('device-shown-code').textContent()).toBe(device.user_code);
    expect(await pollDevice(device.device_code)).toMatchObject({ error: 'authorization_pending' });
  });

  it('says that a code is wrong and takes the right one afterwards', async () => {
    const device = await startDevice();
    const page = await stage.newPage(options);
    await page.goto(`${device.verification_uri}?user_code=BBBB-BBBB`);
    await page.getByTestId('login-user-alice').click();
    expect(await page.getByRole('alert').textContent()).toContain('No device is waiting for this code');
    expect(await page.getByTestId('device-code').inputValue()).toBe('BBBB-BBBB');
    await page.getByTestId('device-code').fill(device.user_code ?? '');
    await page.getByTestId('device-continue').click();
    await page.getByTestId('device-allow').waitFor();
  });

  it('changes the user and keeps the code', async () => {
    const device = await startDevice();
    const page = await stage.newPage(options);
    await page.goto(device.verification_uri_complete ?? '');
    await page.getByTestId('login-user-alice').click();
    await page.getByTestId('device-switch').click();
    await page.getByTestId('login-user-carol').click();
    await page.getByTestId('device-allow').click();
    await page.getByRole('heading', { name: 'Done. Go back to the device.' }).waitFor();
    expect(stage.sandbox.events.latest('device.approved', 1)).toMatchObject([{ sub: 'carol' }]);
  });
});

describe.each(scripts)('the approval page, with scripts %s', (_name, options) => {
  it('answers the waiting requests one by one', async () => {
    const ask = (binding_message: string) =>
      json('/oauth2/bc-authorize', { scope: 'openid', login_hint: 'alice', binding_message }, asBank);
    const [first, second] = [await ask('first'), await ask('second')];
    const page = await stage.newPage(options);
    await page.goto(`${stage.sandbox.url}/approvals`);
    await page.getByTestId('login-user-alice').click();
    const section = (message: string) => page.locator('.approval', { hasText: message });
    await section('second').getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('status').filter({ hasText: 'Denied. Bank will be told.' }).waitFor();
    expect(await page.getByTestId('approval-message').allTextContents()).toEqual(['first']);
    await section('first').getByRole('button', { name: 'Allow' }).click();
    await page.getByText('No request is waiting for your approval.').waitFor();
    const poll = ({ auth_req_id = '' }: Record<string, string>) =>
      json('/oauth2/token', { grant_type: cibaGrant, auth_req_id }, asBank);
    expect(await poll(first)).toMatchObject({ token_type: 'Bearer' });
    expect(await poll(second)).toMatchObject({ error: 'access_denied' });
  });
});

it('the dashboard leads from the request of a device to its page, by a link and by a QR code', async () => {
  const device = await startDevice();
  const page = await stage.newPage();
  const [requested] = stage.sandbox.events.latest('device.requested', 1);
  await page.goto(`${stage.sandbox.url}/dashboard/requests/${requested?.requestId}`);
  const qr = page.getByRole('img', { name: 'QR code of the page, for a phone' });
  expect(await qr.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100);
  await page.getByTestId('event-decide').click();
  await page.getByTestId('login-user-alice').click();
  expect(await page.getByTestId('device-shown-code').textContent()).toBe(device.user_code);
});
