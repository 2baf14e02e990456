import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { Sandbox } from '../../../../src/index.ts';
import { authorizationUrl } from '../../../support/authorization-url.ts';
import { portOf, post, raw } from '../../../support/wire.ts';
import { attackTwice } from './attack-twice.ts';
import { startDevice } from './gate-stops.ts';
import type { Stop } from './stop.ts';
import type { World } from './world.ts';

/** Reloads a page until it has an element. Stops run side by side, and `expect.poll` wants a test that runs alone. */
async function reloadUntil(page: Page, testId: string): Promise<void> {
  await vi.waitFor(async () => {
    await page.reload();
    expect(await page.getByTestId(testId).count()).toBeGreaterThan(0);
  }, 60_000);
}

/** A page of one of the sandboxes, at `/dashboard` and what follows. */
function at(which: 'fresh' | 'used' | 'told' | 'busy' | 'readonly' | 'changed' | 'forgetful', path: string): Stop {
  return (page, world) => page.goto(`${world[which].url}/dashboard${path}`);
}

type TokenType = 'code' | 'access' | 'refresh' | 'id';

/** The newest token of `frontend` of its type; the access token is one that was used. */
function newest({ events }: Sandbox, type: TokenType) {
  return events
    .latestIssued(100)
    .find(
      event => (event.type === 'code.issued' ? 'code' : event.tokenType) === type && event.client_id === 'frontend',
    );
}

function tokenPath(sandbox: Sandbox, type: TokenType): string {
  return `/dashboard/tokens/${newest(sandbox, type)?.tokenId}`;
}

function token(type: TokenType): Stop {
  return (page, { busy }) => page.goto(busy.url + tokenPath(busy, type));
}

/** The request with the first or last mistake, or the one that gave the newest token. */
function requestPath({ events }: Sandbox, type: 'error.returned' | 'token.issued'): string {
  return `/dashboard/requests/${events.latest(type, 1)[0]?.requestId}`;
}

function panePath({ events }: Sandbox): string {
  return `/dashboard/requests?open=${events.latest('error.returned', 1)[0]?.requestId}`;
}

function problem(which: keyof World['done']['refused']): Stop {
  return (page, { busy, done }) => page.goto(`${busy.url}/dashboard/problems/${done.refused[which]}`);
}

function flow(which: keyof World['done']['refused'], query = ''): Stop {
  return async (page, { busy, done }) => {
    await page.goto(`${busy.url}/dashboard/flows/by-request/${done.refused[which]}`);
    if (query !== '') await page.goto(new URL(query, page.url()).href);
  };
}

const goodFlow: Stop = (page, { busy, done }) => {
  const issued = busy.events.latestIssued(1000).find(event => event.token === done.tokens.access_token);
  return page.goto(`${busy.url}/dashboard/flows/by-request/${issued?.requestId}`);
};

function decoded(text: (world: World) => string): Stop {
  return async (page, world) => {
    await page.goto(`${world.busy.url}/dashboard/decode`);
    await page.getByTestId('decode-input').fill(text(world));
    await page.getByTestId('decode-submit').click();
    await page.getByTestId('decode-clear').waitFor();
  };
}

/** Uses a token of its page, in a sandbox where that disturbs nobody. */
function used(tool: 'api' | 'introspect' | 'userinfo'): Stop {
  return async (page, { changed }) => {
    await page.goto(changed.url + tokenPath(changed, 'access'));
    await page.getByTestId('token-more').locator('> summary').click();
    await page.getByTestId(`token-use-${tool}`).click();
    await page.getByTestId('token-use-result').waitFor();
  };
}

const homes: Readonly<Record<string, Stop>> = {
  'dashboard, first run': at('fresh', ''),
  'dashboard, in use': at('used', ''),
  'dashboard, with a refusal and a flow': at('busy', ''),
  'dashboard, with an application to start a login at': at('told', ''),
  'dashboard that only shows': at('readonly', ''),
};

const tokens: Readonly<Record<string, Stop>> = {
  'no token yet': at('fresh', '/tokens'),
  tokens: at('busy', '/tokens'),
  'tokens, a row for each': at('busy', '/tokens/list'),
  'tokens with a filter that is wrong': at('busy', '/tokens?q=colour:red+user:nobody'),
  'tokens, the oldest gone': at('forgetful', '/tokens'),
  'menu of a token': async (page, { busy }) => {
    await page.goto(`${busy.url}/dashboard/tokens/list`);
    await page.locator('.dots').first().click();
    await page.getByTestId('menu-copy-token').waitFor();
  },
  'access token': token('access'),
  'access token, as JSON': (page, { busy }) => page.goto(`${busy.url}${tokenPath(busy, 'access')}?as=json`),
  'ID token': token('id'),
  'refresh token': token('refresh'),
  code: token('code'),
  'access token that can only be read': async (page, { readonly }) =>
    page.goto(readonly.url + tokenPath(readonly, 'access')),
  'access token, used for the API': used('api'),
  'access token, introspected': used('introspect'),
  'access token, used for UserInfo': used('userinfo'),
  'access token, expired by hand': async (page, { changed }) => {
    await page.goto(changed.url + tokenPath(changed, 'access'));
    await page.getByTestId('token-expire').click();
    await page.getByTestId('token-undo').waitFor();
    const authorization = `Bearer ${newest(changed, 'access')?.token}`;
    await fetch(`${changed.url}/userinfo`, { headers: { authorization } }); // a refusal that the page tells in a long line
    await page.getByTestId('token-undo').click();
    await page.getByTestId('token-expire').waitFor();
    await page.getByText('used after it was expired manually').first().waitFor();
  },
  'what changed between two tokens': (page, { busy }) => page.goto(`${busy.url + tokenPath(busy, 'access')}/diff`),
  'a token with nothing to compare': (page, { used }) => page.goto(`${used.url + tokenPath(used, 'id')}/diff`),
  'a token that is gone': at('busy', '/tokens/tok_nothing'),
};

const flows: Readonly<Record<string, Stop>> = {
  'no flow yet': at('fresh', '/flows'),
  flows: at('busy', '/flows'),
  'no flow matches': at('busy', '/flows?q=client:nobody'),
  'a flow that went well': goodFlow,
  'a flow that was refused': flow('verifier'),
  'a flow, all steps open': flow('verifier', '?print=1'),
  'a flow, step by step': flow('verifier', '?step=2'),
  'a flow without secrets': flow('reuse', '?hide=1'),
  'a flow of a service': flow('scope'),
  'a flow of one refused request': flow('redirectUri'),
  'a flow of a device that waits': async (page, world) => {
    await startDevice(world);
    await page.goto(`${world.asked.url}/dashboard/flows/latest`);
  },
  'a flow of a logout': async (page, { told, callback }) => {
    await page.goto(authorizationUrl(told, callback));
    await page.getByTestId('login-user-alice').click();
    await page.waitForURL(`${callback}?*`);
    await page.goto(`${told.url}/connect/logout`);
    await page.getByTestId('logout-confirm').click();
    await page.getByTestId('logout-notices').waitFor();
    await page.goto(`${told.url}/dashboard/flows/latest`);
  },
};

const problems: Readonly<Record<string, Stop>> = {
  'no problem yet': at('fresh', '/problems'),
  problems: at('busy', '/problems'),
  'no problem matches': at('busy', '/problems?q=client:nobody'),
  'problem: redirect_uri': problem('redirectUri'),
  'problem: code_verifier': problem('verifier'),
  'problem: scope': problem('scope'),
  'problem: refresh token used twice': problem('reuse'),
  'problem: secret': problem('secret'),
  'a problem with all its facts': async (page, { used }) => {
    await page.goto(`${used.url}/dashboard/problems/latest`);
    await page.getByTestId('problem-all').locator('summary').click();
  },
  'a problem that can only be read': at('readonly', '/problems/latest'),
  'a problem, mended': async (page, { changed }) => {
    const form = { grant_type: 'client_credentials', client_id: 'sensor', client_secret: 'sensor-secret' };
    const refused = await post(`${changed.url}/oauth2/token`, form);
    await page.goto(`${changed.url}/dashboard/problems/${refused.headers.get('X-Request-Id')}`);
    await page.getByTestId('problem-fix').first().click();
    await page.getByTestId('problem-done').waitFor();
  },
};

const requests: Readonly<Record<string, Stop>> = {
  'no request yet': at('fresh', '/requests'),
  requests: at('busy', '/requests'),
  'a request beside the list': (page, { used }) => page.goto(used.url + panePath(used)),
  'a request beside the list, mended': async (page, { changed, callback }) => {
    const redirect_uri = `https://shop.example/${Date.now()}`;
    const refused = await fetch(authorizationUrl(changed, callback, { redirect_uri }));
    await page.goto(`${changed.url}/dashboard/requests?open=${refused.headers.get('X-Request-Id')}`);
    await page.getByTestId('requests-pane').getByTestId('problem-fix').click();
    await page.getByTestId('pane-done').waitFor();
  },
  'no request matches': at('busy', '/requests?q=status:599'),
  'requests, the oldest gone': at('forgetful', '/requests'),
  'a request that was refused': (page, { used }) => page.goto(used.url + requestPath(used, 'error.returned')),
  'a request that gave a token': (page, { used }) => page.goto(used.url + requestPath(used, 'token.issued')),
  'a request without secrets': async (page, { busy }) => {
    await page.goto(busy.url + requestPath(busy, 'token.issued'));
    await page.getByTestId('requests-hide').click();
  },
  'a request, sent again': async (page, { changed }) => {
    await page.goto(changed.url + requestPath(changed, 'token.issued'));
    await page.getByTestId('replay-again').click();
    await page.getByTestId('replay-of').waitFor();
  },
  'a request of a device': async (page, world) => {
    await startDevice(world);
    const [requested] = world.asked.events.latest('device.requested', 1);
    await page.goto(`${world.asked.url}/dashboard/requests/${requested?.requestId}`);
  },
};

const decode: Readonly<Record<string, Stop>> = {
  decode: at('busy', '/decode'),
  'decode, one of ours': decoded(({ done }) => done.tokens.access_token),
  'decode, a whole answer': decoded(({ done }) => JSON.stringify(done.tokens)),
  'decode, cut and quoted': decoded(({ done }) => `"${done.tokens.id_token.slice(0, 150)}`),
  'decode, a difference to accept': async (page, world) => {
    await decoded(() => JSON.stringify({ sub: 'jane', plan: 'gold', '<b>limits</b>': { day: 500 } }))(page, world);
    await page.getByTestId('decode-like').click();
    await page.getByTestId('decode-like-show').click();
    await page.getByTestId('decode-like-accept').waitFor();
  },
  'decode, no token': decoded(() => 'long '.repeat(60) + 'x'.repeat(200)),
};

const openBoard: Stop = async (page, { room }) => {
  await page.goto(`${room.url}/join`);
  await page.getByTestId('join-take').click();
  await page.getByTestId('join-seat').waitFor();
  await page.goto(`${room.url}/room`);
  await page.getByTestId('room-key').fill('trainer');
  await page.getByTestId('room-sign-in').click();
  await page.getByTestId('room-title').waitFor();
  await page.goto(`${room.url}/room/lessons?all`);
  await page.getByTestId('room-board').waitFor();
};

const configure: Readonly<Record<string, Stop>> = {
  clients: at('used', '/clients'),
  'no client matches': at('used', '/clients?q=nobody+is:created'),
  catalogue: at('told', '/catalogue'),
  'catalogue that is off': at('used', '/catalogue'),
  lessons: (page, { used }) => page.goto(`${used.url}/lessons`),
  recall: async (page, { told }) => {
    await page.goto(`${told.url}/lessons/dpop`);
    await page.getByTestId('lesson-begin').click();
    const question = page.getByTestId('lesson-quiz').first();
    await question.getByRole('radio').first().check();
    await question.getByRole('button').click();
    await page.getByTestId('lesson-why').waitFor();
    told.clock.advance(86_400);
    await page.goto(`${told.url}/lessons/recall`);
    told.clock.reset();
  },
  mistakes: (page, { used }) => page.goto(`${used.url}/lessons/mistakes`),
  lesson: async (page, { used }) => {
    await page.goto(`${used.url}/lessons/client-credentials`);
    await page.getByTestId('lesson-begin').click();
    await page.getByTestId('lesson-hint-token').click();
    await page.getByRole('heading', { name: 'Hint' }).waitFor();
  },
  lab: async (page, { used }) => {
    await page.goto(`${used.url}/lessons/redirect-pattern`);
    await attackTwice(page);
    await page.getByTestId('lab-comparison').waitFor();
  },
  'lab that is a mystery': async (page, { used }) => {
    await page.goto(`${used.url}/lessons/mystery`);
    await page.getByTestId('lesson-begin').click();
    await page.getByTestId('lab-act-phone').click();
    await page.getByTestId('lesson-quiz').getByRole('radio').first().check();
    await page.getByTestId('lesson-answer-name').click();
    await page.getByText('Not shown yet').waitFor();
  },
  'lesson, to print': (page, { used }) => page.goto(`${used.url}/lessons/client-credentials/handout`),
  'workshop, to join': (page, { room }) => page.goto(`${room.url}/join`),
  'workshop, the seat': async (page, { room }) => {
    await page.goto(`${room.url}/join`);
    await page.getByTestId('join-take').click();
    await page.getByTestId('join-seat').waitFor();
  },
  'workshop, the key of the trainer': (page, { room }) => page.goto(`${room.url}/room`),
  'workshop, the board': openBoard,
  'workshop, a lesson on the board': async (page, world) => {
    await openBoard(page, world);
    const { issuer } = world.room;
    const name = await page.locator('[data-seat]').first().getAttribute('data-seat');
    await page.goto(`${issuer}/i/${name}/lessons/client-credentials`);
    await page.getByTestId('lesson-begin').click();
    await page.goto(`${world.room.url}/room/lessons/client-credentials`);
    await page.getByTestId('room-board').waitFor();
  },
  'workshop, the controls': async (page, world) => {
    await openBoard(page, world);
    await page.getByTestId('room-controls').click();
    await page.getByTestId('controls-export').waitFor();
  },
  'workshop, the record of a seat': async (page, world) => {
    await openBoard(page, world);
    await page.goto(`${world.room.url}/join/record`);
  },
  playground: (page, { used }) => page.goto(`${used.url}/playground`),
  'playground after a refusal': async (page, { used }) => {
    await page.goto(`${used.url}/playground/client-credentials?client=sensor&remove=grant_type`);
    await page.getByTestId('playground-send').click();
    await page.getByTestId('playground-answer').waitFor();
  },
  'playground, a parameter explained': async (page, { used }) => {
    await page.goto(`${used.url}/playground/code`);
    await page.getByTestId('playground-field-nonce').focus();
    await page.locator('.play-field details[open]').waitFor();
  },
  'playground with a client whose key the page does not have': async (page, { told }) => {
    await told.clients.patch('catalogue-jar', { request_object_signing_alg: 'ES256' });
    await page.goto(`${told.url}/playground/code?client=catalogue-jar`);
  },
  'playground with a client that this issuer does not have': (page, { used }) =>
    page.goto(`${used.url}/playground/code?client=catalogue-spa`),
  client: at('used', '/clients/frontend'),
  'client that can only be read': at('readonly', '/clients/frontend'),
  'client with a mistake': async (page, { used }) => {
    await page.goto(`${used.url}/dashboard/clients/frontend`);
    await page.getByTestId('clients-redirect_uris').fill(`nowhere-${'long'.repeat(40)}`);
    await page.getByText('All other members, as JSON').click();
    await page.getByTestId('clients-more').fill('{"jwks_url": 1}');
    await page.getByTestId('clients-save').click();
    await page.getByTestId('clients-problem').first().waitFor();
  },
  'client, changed': async (page, { changed }) => {
    await page.goto(`${changed.url}/dashboard/clients/frontend`);
    await page.getByTestId('clients-client_name').fill('Another name');
    await page.getByTestId('clients-save').click();
    await page.getByTestId('clients-done').waitFor();
  },
  users: at('used', '/users'),
  user: at('used', '/users/alice'),
  'user that can only be read': at('readonly', '/users/alice'),
  'user with a mistake': async (page, { used }) => {
    await page.goto(`${used.url}/dashboard/users/alice`);
    await page.getByTestId('users-claims').fill(`{"${'long'.repeat(40)}": 1, "iss": 2}`);
    await page.getByTestId('users-save').click();
    await page.getByTestId('users-problem').first().waitFor();
  },
  'users, one of them made up': async (page, { changed }) => {
    await page.goto(`${changed.url}/dashboard/users`);
    await page.getByTestId('users-make-up').click();
    await page.getByTestId('users-done').waitFor();
  },
  api: at('busy', '/api'),
  'API, called': async (page, { changed }) => {
    await page.goto(`${changed.url}/dashboard/api`);
    await page.getByTestId('api-token').selectOption('');
    await page.getByTestId('api-send').click();
    await page.getByTestId('api-result').waitFor();
  },
  keys: at('used', '/keys'),
  'keys, rotated': async (page, { changed }) => {
    await page.goto(`${changed.url}/dashboard/keys`);
    await page.getByTestId('keys-rotate').click();
    await page.getByTestId('keys-done').waitFor();
  },
  webhooks: at('used', '/webhooks'),
  'webhooks that can only be read': at('readonly', '/webhooks'),
  'webhooks, with endpoints and deliveries': async (page, { changed }) => {
    await page.goto(`${changed.url}/dashboard/webhooks`);
    await page.getByTestId('webhooks-new').click();
    await page.getByTestId('webhooks-url').fill(`http://127.0.0.1:9/${Date.now()}`);
    await page.getByTestId('webhooks-add').click();
    await page.getByTestId('webhooks-done').waitFor();
    await changed.issueToken({ client: 'frontend', user: 'alice' });
    await reloadUntil(page, 'webhooks-delivery');
    await page.getByTestId('webhooks-new').click();
    await page.getByTestId('webhooks-events').fill('nothing');
    await page.getByTestId('webhooks-add').click();
    await page.getByTestId('webhooks-summary').waitFor();
  },
  'a delivery of a webhook': async (page, { changed }) => {
    const added = await fetch(`${changed.url}/_sandbox/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `http://127.0.0.1:9/a/rather/long/path/${Date.now()}`, events: ['token.*'] }),
    });
    const { id } = (await added.json()) as { id: string };
    await changed.issueToken({ client: 'frontend', user: 'alice' });
    await page.goto(`${changed.url}/dashboard/webhooks`);
    await reloadUntil(page, 'webhooks-delivery');
    // several messages that wait are one row, which shows their links only when it is opened
    const path = await page.getByTestId('webhooks-delivery').first().locator('a').first().getAttribute('href');
    await page.goto(`${changed.url}${path}`);
    await page.getByTestId('webhooks-resend').click();
    await page.getByTestId('webhooks-done').waitFor();
    await reloadUntil(page, 'webhooks-attempt');
    await fetch(`${changed.url}/_sandbox/webhooks/${id}`, { method: 'DELETE' });
  },
  clock: at('used', '/clock'),
  'clock, moved': async (page, { changed }) => {
    await page.goto(`${changed.url}/dashboard/clock`);
    await page.getByTestId('clock-step-60').click();
    await page.getByTestId('shell-clock').waitFor();
  },
  faults: at('used', '/faults'),
  'faults that can only be read': at('readonly', '/faults'),
  'faults, some of them armed': async (page, { changed }) => {
    // which none of the others meets, who share the sandbox
    await changed.faults.arm({ fault: 'slow', endpoint: 'device_authorization', client: 'frontend', user: 'alice' });
    await page.goto(`${changed.url}/dashboard/faults`);
    await page.getByTestId('faults-armed').first().waitFor();
    await page.getByTestId('faults-new').click();
    await page.getByTestId('faults-seconds').fill('nothing');
    await page.getByTestId('faults-arm').click();
    await page.getByTestId('faults-problem').waitFor();
  },
};

const others: Readonly<Record<string, Stop>> = {
  'client report': at('busy', '/report'),
  'client report of one client': at('busy', '/report?client=frontend'),
  'client report, before anybody came': at('fresh', '/report'),
  'client report of what is half forgotten': at('forgetful', '/report'),
  'examine, with a mistake': async (page, { changed }) => {
    await page.goto(`${changed.url}/dashboard/examine`);
    await page.getByTestId('examine-how').selectOption('walk');
    await page.getByTestId('examine-start').click();
    await page.getByTestId('examine-summary').waitFor();
  },
  'a sign-in that is recorded': at(
    'changed',
    '/examine/record?url=http://localhost:3000/a/rather/long/path/to/sign/in',
  ),
  'a record, with a mistake': async (page, { changed }) => {
    await page.goto(`${changed.url}/dashboard/examine/record`);
    await page.getByTestId('examine-record').fill('{}');
    await page.getByTestId('examine-record-start').click();
    await page.getByTestId('examine-problem').waitFor();
  },
  'an examination by hand': async (page, { changed }) => {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ driver: 'asked', app: 'http://localhost:3000/a/rather/long/path/to/sign/in' });
    const begun = await fetch(`${changed.url}/_sandbox/examinations`, { ...sent, body });
    const { id } = (await begun.json()) as { id: string };
    const waiting = await fetch(`${changed.url}/_sandbox/examinations/${id}/wait?after=1`);
    const [{ issuer = '' } = {}] = ((await waiting.json()) as { waiting: { issuer: string }[] }).waiting;
    const query = { response_type: 'code', client_id: 'frontend', redirect_uri: 'http://localhost:5173/callback' };
    const signIn = new URLSearchParams({ ...query, sandbox_login: 'alice' });
    await fetch(`${issuer}/oauth2/authorize?${signIn}`, { redirect: 'manual' });
    const answer = { ...sent, body: '{"believed":true}' };
    await fetch(`${changed.url}/_sandbox/examinations/${id}/answer`, answer);
    await page.goto(`${changed.url}/dashboard/examine/${id}`);
    await page.getByTestId('examine-now').waitFor();
  },
  'connect, before anybody asked': at('fresh', '/connect'),
  'connect, with names that differ': async (page, { told }) => {
    const elsewhere = told.url.replace('localhost', '127.0.0.1');
    await page.goto(`${elsewhere}/oauth2/authorize`);
    await raw(portOf(told.url), `GET /oauth2/jwks HTTP/1.1\r\nHost: ${'a-long-name.'.repeat(9)}test\r\n\r\n`);
    await page.goto(`${told.url}/dashboard/connect`);
    await page.getByTestId('connect-diagnosis-host_refused').waitFor();
  },
  settings: at('used', '/settings'),
  'settings, with an issuer made at run time': async (page, { changed }) => {
    await changed.createIssuer({}, { id: `a-rather-long-name-${Date.now()}` });
    await page.goto(`${changed.url}/dashboard/settings`);
    await page.getByTestId('settings-issuer-end').first().waitFor();
  },
  'reset, with a dialog': async (page, { used }) => {
    await page.goto(`${used.url}/dashboard/settings`);
    await page.getByTestId('settings-reset').click();
    await page.getByTestId('settings-reset-dialog').waitFor();
  },
  'reset, on its page': at('used', '/settings/reset'),
  'the keys of the keyboard': async (page, { busy }) => {
    await page.goto(`${busy.url}/dashboard`);
    await page.getByTestId('shell-keys').click();
    await page.getByTestId('keys-close').waitFor();
  },
  'the palette': async (page, { busy }) => {
    await page.goto(`${busy.url}/dashboard`);
    await page.keyboard.press('Control+k');
    await page.locator('#palette li form').first().waitFor();
  },
  scopes: at('used', '/scopes'),
  'scopes, of which none is found': at('used', '/scopes?q=nothing'),
  'scopes that can only be read': at('readonly', '/scopes'),
  'a scope': at('used', '/scopes/email'),
  'a scope that can only be read': at('readonly', '/scopes/products%3Aread'),
  'a scope that is new, and nobody may ask for': async (page, { changed }) => {
    await page.goto(`${changed.url}/dashboard/scopes`);
    await page.getByTestId('scopes-create').click();
    await page.getByTestId('scopes-name').fill(`a-rather-long-name-${Date.now()}:read`);
    await page.getByTestId('scopes-new-submit').click();
    await page.getByTestId('scopes-done').waitFor();
    await page.getByTestId('scopes-access_token_claims').fill('{');
    await page.getByTestId('scopes-save').click();
    await page.getByTestId('scopes-problem').waitFor();
  },
  'a scope that was deleted': async (page, { changed }) => {
    const name = `spare-${Date.now()}`;
    await changed.scopes.create({ name });
    await page.goto(`${changed.url}/dashboard/scopes/${name}`);
    await page.getByTestId('scopes-delete').click();
    await page.getByTestId('scopes-restore').first().waitFor();
  },
  'a scope that was changed': async (page, { changed }) => {
    await changed.scopes.patch('bikes:read', { description: 'see bikes' });
    await page.goto(`${changed.url}/dashboard/scopes/bikes%3Aread`);
    await page.getByTestId('scopes-revert').waitFor();
  },
  'not found': at('used', '/nowhere'),
};

/** The pages of the dashboard, empty, full, refused and only for reading. */
export const dashboardStops: Readonly<Record<string, Stop>> = {
  ...homes,
  ...tokens,
  ...flows,
  ...problems,
  ...requests,
  ...decode,
  ...configure,
  ...others,
};
