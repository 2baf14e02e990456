import type { ConnectFacts, SnippetClient, UserFacts } from './facts.ts';
import { js } from './literals.ts';
import type { Snippet } from './snippet.ts';

/** Tests that log in through a real browser. */
export function browserTests(facts: ConnectFacts): readonly Snippet[] {
  const client = facts.spa ?? facts.web;
  const { user } = facts;
  return client === undefined || user === undefined
    ? []
    : [playwright(facts, client, user), playwrightWithoutClick(facts, client, user), cypress(facts, client, user)];
}

function playwright({ loginMode }: ConnectFacts, client: SnippetClient, user: UserFacts): Snippet {
  const login =
    loginMode === 'password'
      ? `await page.getByTestId('login-username').fill(${js(user.username)});
  await page.getByTestId('login-password').fill(${js(user.password)});
  await page.getByTestId('login-submit').click();`
      : `await page.getByRole('button', { name: ${js(user.name)} }).first().click();
  // by test id:  await page.getByTestId(${js(`login-user-${user.sub}`)}).click();`;
  return {
    id: 'playwright',
    family: 'tests',
    title: 'Playwright, by the login page',
    where: 'login.spec.ts',
    language: 'ts',
    code: `import { expect, test } from '@playwright/test';

const app = ${js(originOf(client))};

test('logs in as ${inTitle(user.sub)}', async ({ page }) => {
  await page.goto(app);
  await page.getByRole('button', { name: 'Sign in' }).click(); // the button of your application
  ${login}
  await page.waitForURL(url => url.origin === app);
  await expect(page.getByText(${js(user.sub)})).toBeVisible();
});
`,
    note: 'Names and test ids of the login page do not change within a major version.',
  };
}

function playwrightWithoutClick({ at }: ConnectFacts, client: SnippetClient, user: UserFacts): Snippet {
  return {
    id: 'playwright-no-click',
    family: 'tests',
    title: 'Playwright, without the login page',
    where: 'login.spec.ts',
    language: 'ts',
    code: `import { expect, test } from '@playwright/test';

const app = ${js(originOf(client))};

test.beforeEach(async ({ page }) => {
  // who signs in, said for each test; AUTO_LOGIN=${inTitle(user.sub)} says it for all
  await page.route(url => url.href.startsWith(${js(`${at.authorize}?`)}), route =>
    route.continue({ url: \`\${route.request().url()}&sandbox_login=${encodeURIComponent(user.sub)}\` }),
  );
});

test('is signed in as ${inTitle(user.sub)}', async ({ page }) => {
  await page.goto(app);
  await page.getByRole('button', { name: 'Sign in' }).click(); // the button of your application
  await page.waitForURL(url => url.origin === app);
  await expect(page.getByText(${js(user.sub)})).toBeVisible();
});
`,
    note: 'sandbox_login is a parameter of this sandbox; a real server ignores it. Where a server of yours redirects to the login, the route does not see it: start the sandbox with AUTO_LOGIN instead.',
  };
}

function cypress({ issuer, loginMode }: ConnectFacts, client: SnippetClient, user: UserFacts): Snippet {
  const { origin } = new URL(issuer);
  const login =
    loginMode === 'password'
      ? `cy.get('[data-testid=login-username]').type(name);
    cy.get('[data-testid=login-password]').type(${js(user.password)});
    cy.get('[data-testid=login-submit]').click();`
      : `cy.get('[data-testid="login-user-' + name + '"]').click();`;
  const name = loginMode === 'password' ? user.username : user.sub;
  return {
    id: 'cypress',
    family: 'tests',
    title: 'Cypress',
    where: 'cypress/e2e/login.cy.js',
    language: 'js',
    code: `it('logs in as ${inTitle(user.sub)}', () => {
  cy.visit(${js(originOf(client))});
  cy.contains('button', 'Sign in').click(); // the button of your application
  cy.origin(${js(origin)}, { args: { name: ${js(name)} } }, ({ name }) => {
    ${login}
  });
  cy.contains(${js(user.sub)});
});
`,
    note: 'cy.origin is needed because the login page is of another origin than the application.',
  };
}

function originOf({ redirectUri }: SnippetClient): string {
  return /^https?:/i.test(redirectUri) && URL.canParse(redirectUri)
    ? new URL(redirectUri).origin
    : 'http://localhost:3000';
}

/** Inside a string or a comment of the code. */
function inTitle(text: string): string {
  return text.replace(/[^\w.@ -]/g, '_');
}
