import { expect, test } from './app.js';

const alice = { client: 'app', user: 'alice' };
const bob = { client: 'app', user: 'bob' };

function expectUser(page, name) {
  return expect(page.locator('#user')).toHaveText(name);
}

for (const store of ['local', 'session']) {
  const path = `/?store=${store}`;

  test.describe(`with ${store}Storage`, () => {
    test('is signed in on the first page, and after a reload', async ({ page, signIn }) => {
      await signIn(alice);
      await page.goto(path);
      await expectUser(page, 'alice');
      await page.reload();
      await expectUser(page, 'alice');
    });

    test('is signed in when the page was open before', async ({ page, signIn }) => {
      await page.goto(path);
      await expectUser(page, 'nobody');
      await signIn(alice);
      await page.reload();
      await expectUser(page, 'alice');
    });

    test('is signed in where the redirect URI is, too', async ({ page, signIn }) => {
      await signIn(alice);
      await page.goto(`http://localhost:5173${path}`);
      await expectUser(page, 'alice');
      await page.goto(`http://localhost:5174${path}`);
      await expectUser(page, 'nobody');
    });

    for (const button of ['Sign out', 'Forget everything']) {
      test(`stays signed out after ${button}`, async ({ page, context, signIn }) => {
        await signIn(alice);
        await page.goto(path);
        await expectUser(page, 'alice');
        await page.getByRole('button', { name: button }).click();
        await expectUser(page, 'nobody');
        await page.goto(`${path}&again`);
        await expectUser(page, 'nobody');
        const another = await context.newPage();
        await another.goto(path);
        await expectUser(another, 'nobody');
      });
    }

    test('signs in somebody else in the same tab', async ({ page, signIn }) => {
      await signIn(alice);
      await page.goto(path);
      await expectUser(page, 'alice');
      await signIn(bob);
      await page.reload();
      await expectUser(page, 'bob');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expectUser(page, 'nobody');
    });

    test('is the last who signed in before the first page', async ({ page, signIn }) => {
      await signIn(alice);
      await signIn(bob);
      await page.goto(path);
      await expectUser(page, 'bob');
    });
  });
}

test('is signed in in a second tab with localStorage', async ({ page, context, signIn }) => {
  await signIn(alice);
  await page.goto('/');
  const second = await context.newPage();
  await second.goto('/');
  await expectUser(second, 'alice');
});

test('leaves what the application has renewed', async ({ page, signIn }) => {
  await signIn(alice);
  await page.goto('/');
  await expectUser(page, 'alice');
  await page.evaluate(() => {
    const name = Object.keys(localStorage).find(each => each.startsWith('oidc.user:'));
    localStorage.setItem(name, JSON.stringify({ profile: { sub: 'alice', name: 'renewed' } }));
  });
  await page.reload();
  await expectUser(page, 'renewed');
});

test('has a session at the sandbox, in any tab', async ({ page, issuer, signIn }) => {
  await signIn(alice);
  const query = new URLSearchParams({
    ...{ client_id: 'app', redirect_uri: 'http://localhost:5173/callback', response_type: 'code', scope: 'openid' },
    ...{ prompt: 'none', state: 'anything', code_challenge_method: 'S256' },
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });
  const answer = await page.request.get(`${issuer.issuer}/oauth2/authorize?${query}`, { maxRedirects: 0 });
  expect(answer.headers().location).toMatch(/^http:\/\/localhost:5173\/callback\?code=/);
});

test('has the claims of UserInfo where it asks for them', async ({ page, signIn }) => {
  await signIn({ ...alice, loadUserInfo: true });
  await page.goto('/');
  await expectUser(page, 'Alice');
});

test('is told what is wrong with a sign-in', async ({ signIn }) => {
  await expect(signIn({ client: 'app', user: 'alicia' })).rejects.toThrow(/^login: .*alicia/);
});
