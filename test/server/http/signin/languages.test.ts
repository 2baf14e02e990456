import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../../../src/index.ts';
import { type UiLocale, uiLocales } from '../../../../src/protocol/ui-locales.ts';
import { authorizationUrl } from '../../../support/authorization-url.ts';
import { get, post } from '../../../support/wire.ts';

const callback = 'http://localhost:5173/callback';
const sandbox = await createSandbox({
  signingAlg: 'ES256',
  users: [{ sub: 'alice', claims: { name: 'Alice Archer' } }],
  clients: [
    { client_id: 'frontend', client_name: 'Shop', redirect_uris: [callback], post_logout_redirect_uris: [callback] },
    { client_id: 'asking', client_name: 'Asking', redirect_uris: [callback], require_consent: true },
    { client_id: 'tv', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] },
    { client_id: 'bank', client_secret: 'bank-secret', grant_types: ['urn:openid:params:grant-type:ciba'] },
  ],
});
afterAll(() => sandbox.stop());

const login = (more: Readonly<Record<string, string>> = {}) =>
  `${authorizationUrl(sandbox, callback)}&${new URLSearchParams(more)}`;
const open = (url: string, language?: string, headers = {}) =>
  get(url, { ...headers, ...(language === undefined ? {} : { 'accept-language': language }) });
const titles: Readonly<Record<UiLocale, string>> = {
  en: 'Sign in to Shop',
  de: 'Bei Shop anmelden',
  fr: 'Se connecter à Shop',
  es: 'Iniciar sesión en Shop',
  ja: 'Shop にサインイン',
  ar: 'تسجيل الدخول إلى \u2068Shop\u2069',
};
const fields = (html: string) =>
  [...html.matchAll(/ (?:id|name|data-testid|value)="[^"]*"/g)].map(([found]) => found.replace(/req_\w+/, 'req'));

describe.each(uiLocales)('the login page in %s', tag => {
  it('speaks it, and says so', async () => {
    const answer = await open(login({ ui_locales: tag }));
    const html = await answer.text();
    expect(html).toContain(`<h1>${titles[tag]}</h1>`);
    expect(html).toContain(tag === 'ar' ? '<html lang="ar" dir="rtl"' : `<html lang="${tag}" data-base`);
    expect(answer.headers.get('content-language')).toBe(tag);
    expect(answer.headers.get('vary')).toBe('Accept-Language');
  });

  it('has the fields and test ids of every other language', async () => {
    const [ours, theirs] = await Promise.all(
      [open(login(), tag), open(login(), 'en')].map(async each => fields(await (await each).text())),
    );
    expect(ours).toEqual(theirs);
    expect(ours?.length).toBeGreaterThan(30);
  });
});

describe('the language of a page', () => {
  it.each([
    ['ui_locales before Accept-Language', { ui_locales: 'fr' }, 'de', 'fr'],
    ['the first of ui_locales that is spoken here', { ui_locales: 'pt-BR es-MX de' }, 'de', 'es'],
    ['Accept-Language where nothing of ui_locales is spoken', { ui_locales: 'pt' }, 'de', 'de'],
    ['the heaviest of Accept-Language', {}, 'en;q=0.4, ja;q=0.9, de;q=0.8', 'ja'],
    ['English for any language', {}, '*', 'en'],
    ['English for a language that is not spoken here', {}, 'pt, nl;q=0.8', 'en'],
    ['English where nothing was said', {}, undefined, 'en'],
    ['English for what is no language', { ui_locales: '<script>' }, ';;=,q', 'en'],
  ])('is %s', async (_, query, header, expected) => {
    expect((await open(login(query), header)).headers.get('content-language')).toBe(expected);
  });

  it('stays with a request after a wrong name', async () => {
    const action = login({ ui_locales: 'de' }).replace(/^.*\?/, `${sandbox.url}/login?`);
    const answer = await post(action, { action: 'login', sub: 'nö' }, { origin: sandbox.url });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain('Wählen Sie einen Benutzer oder geben Sie ein Subject ein');
    // the record of the refusal is English, as the log is
    expect(sandbox.events.latest('error.returned', 1)[0]?.description).toContain('Choose a user');
  });
});

describe('each page for users', () => {
  const signIn = async () => {
    const action = login().replace(/^.*\?/, `${sandbox.url}/login?`);
    const answer = await post(action, { action: 'login', sub: 'alice' }, { origin: sandbox.url });
    return answer.headers
      .getSetCookie()
      .map(line => line.split(';', 1)[0])
      .join('; ');
  };

  it.each([
    ['the login for a device', '/oauth2/device_verification', false, 'Anmelden, um ein Gerät zu verbinden'],
    ['the page for a device', '/oauth2/device_verification', true, 'Geben Sie den Code ein'],
    ['the approvals', '/approvals', true, 'Ausstehende Freigaben für Alice Archer'],
    ['the logout', '/connect/logout', true, '<h1>Abmelden?</h1>'],
    ['the end of no session', '/connect/logout', false, 'Niemand war angemeldet'],
  ])('%s is German for a German browser', async (_, path, isSignedIn, expected) => {
    const headers = isSignedIn ? { cookie: await signIn() } : {};
    const answer = await open(sandbox.url + path, 'de-DE', headers);
    expect(await answer.text()).toContain(expected);
    expect(answer.headers.get('content-language')).toBe('de');
  });

  it('the consent keeps the language of the request, and the words for its scopes', async () => {
    const url = login({ ui_locales: 'ja' }).replace('client_id=frontend', 'client_id=asking');
    const html = await (await open(url, 'de', { cookie: await signIn() })).text();
    expect(html).toContain('<strong>Asking</strong> が次の許可を求めています');
    expect(html).toContain('ユーザーの識別');
  });

  it('the logout keeps ui_locales until its last page (OIDC RP-Initiated Logout §2)', async () => {
    const cookie = await signIn();
    const asked = await (await open(`${sandbox.url}/connect/logout?ui_locales=es`, 'de', { cookie })).text();
    expect(asked).toContain('¿Cerrar sesión?');
    expect(asked).toContain('<input type="hidden" name="ui_locales" value="es">');
    const ended = await post(
      `${sandbox.url}/logout`,
      { ui_locales: 'es', decision: 'logout' },
      { origin: sandbox.url, cookie },
    );
    expect(await ended.text()).toContain('Ha cerrado la sesión');
  });

  it('a refusal speaks to the user in French, and explains in English', async () => {
    const answer = await open(`${sandbox.url}/oauth2/authorize?client_id=nobody`, 'fr', { accept: 'text/html' });
    const html = await answer.text();
    expect(answer.headers.get('content-language')).toBe('fr');
    expect(html).toContain('L’explication destinée aux développeurs est en anglais.');
    expect(html).toContain('<div class="stack" lang="en" dir="ltr">');
    expect(html).toContain('>Réessayer<');
  });

  it('an address that is unknown says so in the frame of the language', async () => {
    const answer = await open(`${sandbox.url}/oauth2/authorise`, 'es', { accept: 'text/html' });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('La explicación para desarrolladores está en inglés.');
  });

  it('the form of form_post has its button in Spanish', async () => {
    const url = login({ ui_locales: 'es', response_mode: 'form_post' });
    const html = await (await open(url, 'de', { cookie: await signIn() })).text();
    expect(html).toContain('>Continuar</button>');
  });
});

it('a program that takes any language is answered in English, without a language of its own in JSON', async () => {
  const answer = await open(`${sandbox.url}/oauth2/authorize?client_id=nobody`, 'de', { accept: 'application/json' });
  expect(answer.headers.get('content-language')).toBeNull();
  expect(await answer.json()).toMatchObject({ error: expect.any(String) });
});
