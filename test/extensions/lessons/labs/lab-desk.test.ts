import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unescaped } from '../../../../src/base/text/html.ts';
import type { SolverVisit } from '../../../../src/extensions/lessons/trial/agent.ts';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { type Agent, createAgent } from '../../../support/agent.ts';

const challenge = 'code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
});
afterAll(() => sandbox.stop());

const partOf = (html: string, testid: string) =>
  unescaped(
    html
      .slice(html.indexOf(`data-testid="${testid}"`))
      .split('</dl>', 1)
      .join(),
  );

describe('the desk of the attacker, without scripts', () => {
  let agent: Agent;
  let page: SolverVisit;
  let issuer: string;
  beforeEach(async () => {
    agent = createAgent(sandbox.url);
    page = await agent.submit(await agent.open(`${sandbox.url}/lessons/redirect-pattern`), 'lesson-begin');
    expect(page.html, 'it follows the attack by buttons').not.toContain('data-testid="lab-desk"');
    page = await agent.submit(page, 'lesson-answer-predict', { option: 'c' });
    page = await agent.submit(page, 'lab-attack-attack');
    issuer = /data-lesson-issuer="([^"]+)"/.exec(page.html)?.[1] ?? '';
  });
  const press = async (button: string, typed: Readonly<Record<string, string>> = {}) => {
    page = await agent.submit(page, button, typed);
  };
  const stateOf = (task: string) =>
    /<span class="tag \w+">([^<]+)/.exec(page.html.slice(page.html.indexOf(`id="state-${task}"`)))?.[1];
  const linkTo = (redirect_uri: string) =>
    `<p>Win a bike: <a href="{{issuer}}/oauth2/authorize?response_type=code&client_id=lab-shop&scope=products:read&redirect_uri=${redirect_uri}&${challenge}">go</a>`;
  const send = (method: string, path: string, { headers = '', body = '' } = {}) =>
    press('lab-send', { method, url: `{{issuer}}${path}`, headers, body });

  it('does the goal by a page of its own, the log and the request editor', async () => {
    const redirect_uri = `${issuer}/labs/shop/../evil`;
    await press('lab-act', { page: linkTo(redirect_uri) });
    expect(partOf(page.html, 'lab-acted')).toContain(`${issuer}/labs/evil?code=`);
    await expect
      .poll(async () => {
        page = await agent.open(page.url);
        return page.html;
      })
      .toContain('data-testid="lab-log"');
    const [, code = ''] = /\/labs\/evil\?code=([\w-]+)/.exec(partOf(page.html, 'lab-log')) ?? [];
    const form = `grant_type=authorization_code&client_id=lab-shop&redirect_uri=${redirect_uri}&code=${code}&code_verifier=${verifier}`;
    await send('POST', '/oauth2/token', { body: form });
    const [, token = ''] = /"access_token":\s*"([^"]+)"/.exec(unescaped(page.html)) ?? [];
    expect(stateOf('goal')).not.toBe('Done');
    await send('GET', '/api/products', { headers: `Authorization: Bearer ${token}` });
    expect(page.html).toContain('City bike');
    await expect
      .poll(async () => {
        page = await agent.open(page.url);
        return stateOf('goal');
      })
      .toBe('Done');
    expect(page.html, 'the two attacks are without what was done by hand').not.toMatch(/class="lab-comparison"/);
  });

  it('compares the steps of the two attacks alone, and says which have not run', async () => {
    await send('GET', '/oauth2/jwks');
    await press('lab-defend');
    await press('lesson-answer-predict-again', { option: 'open' });
    await press('lab-step-link');
    await press('lab-step-open');
    const compared = page.html.slice(page.html.indexOf('data-testid="lab-comparison"')).split('</section>', 1)[0] ?? '';
    expect(compared).not.toMatch(/>You<|jwks/);
    expect(compared.match(/not run yet|did not happen/g)?.slice(-1)).toEqual(['not run yet']);
    expect(page.html, 'the step tells its refusal').toContain(
      'no</span> <span class="muted">The <code>redirect_uri</code>',
    );
    expect(page.html.slice(page.html.indexOf('id="state-again"')).split('</div>', 1)[0]).not.toContain('lesson-says');
  });

  it('signs in as the attacker, and shows a redirect in place of following it', async () => {
    await send(
      'GET',
      `/oauth2/authorize?response_type=code&client_id=lab-shop&redirect_uri=${issuer}/labs/shop&${challenge}`,
    );
    expect(partOf(page.html, 'lab-answer')).toMatch(/location[\s\S]*\/labs\/shop\?.*code=/);
  });

  it('leads nobody out of the lab', async () => {
    await press('lab-act', { page: `<a href="${sandbox.url}/dashboard">x</a>` });
    expect(partOf(page.html, 'lab-acted')).toContain('it is outside of this lab');
    for (const url of [
      `${issuer}/_sandbox/events`,
      `${issuer}/oauth2/../dashboard`,
      'http://127.0.0.1:1/oauth2/token',
      'x',
    ]) {
      await press('lab-send', { method: 'GET', url, headers: '', body: '' });
      expect(page.html, url).toContain('Type an address of this lab');
    }
    await press('lab-act', { page: '<p>no link</p>' });
    expect(partOf(page.html, 'lab-acted')).toContain('Alice stays on it');
    await press('lab-attack-attack');
    expect(stateOf('attack'), 'the buttons go on').toBe('Done');
  });

  it('goes on after a victim who was led to a page that is not recorded', async () => {
    await press('lab-act', { page: linkTo(`${issuer}/labs/shop/../../dashboard`) });
    await press('lab-attack-attack');
    expect(page.html).toContain('Alice opens the link, and signs in: ');
  });

  it('says which line is no header, and takes a form in lines', async () => {
    await send('GET', '/api/products', { headers: 'Authorization Bearer x' });
    expect(page.html).toContain('“Authorization Bearer x” is no header.');
    await send('POST', '/oauth2/token', { body: 'grant_type=authorization_code&\nclient_id=lab-shop\n&code=x' });
    expect(unescaped(page.html)).toContain('"error_description":"the code is unknown');
  });

  it('forgets what Alice did with the other position of the switch', async () => {
    await press('lab-act', { page: linkTo(`${issuer}/labs/shop/../evil`) });
    expect(page.html).toContain('data-testid="lab-acted"');
    await press('lab-defend');
    expect(page.html).not.toContain('data-testid="lab-acted"');
  });

  it('keeps markup and strange headers of the learner harmless', async () => {
    await press('lab-act', { page: '</textarea><script>alert(1)</script><a href="{{issuer}}/labs/evil">x</a>' });
    expect(page.html).not.toContain('<script>alert(1)');
    await send('GET', '/labs/evil', {
      headers: 'Host: elsewhere.test\nTransfer-Encoding: chunked\nX-Odd: ☃',
    });
    expect(page.html).toMatch(/data-testid="lab-answer">\s*<p><span class="st ">200/);
  });
});

it.each(['authorize{{query}}', 'authorize?{{query}}', 'authorize?x=1&{{query}}'])(
  'the page of a desk takes the query of the app in %s',
  async path => {
    const agent = createAgent(sandbox.url);
    let page = await agent.submit(await agent.open(`${sandbox.url}/lessons/mix-up`), 'lesson-begin');
    page = await agent.submit(page, 'lesson-answer-predict', { option: 'c' });
    page = await agent.submit(page, 'lab-attack-attack');
    page = await agent.submit(page, 'lab-act', { page: `<a href="{{issuer}}/oauth2/${path}">x</a>` });
    expect(partOf(page.html, 'lab-acted')).toMatch(
      /demo-app\/callback\?code=[\s\S]*The page says[\s\S]*refused this sign-in/,
    );
  },
);

it('a desk without a victim has the request editor alone', async () => {
  const agent = createAgent(sandbox.url);
  let page = await agent.submit(await agent.open(`${sandbox.url}/lessons/forged-token`), 'lesson-begin');
  page = await agent.submit(page, 'lesson-answer-predict', { option: 'c' });
  page = await agent.submit(page, 'lab-attack-attack');
  expect(page.html).toContain('data-testid="lab-send"');
  expect(page.html).not.toMatch(/data-testid="lab-(act|page)"|What reached you/);
});
