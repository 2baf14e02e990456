import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DevicePage } from '../../../../src/protocol/endpoints/endpoint.ts';
import type { Session } from '../../../../src/protocol/users/session.ts';
import type { TestUser } from '../../../../src/protocol/users/user.ts';
import {
  approvalsView,
  type DecisionSource,
  deviceView,
  type SignInView,
  signInView,
} from '../../../../src/server/http/signin/decision-views.ts';
import { english } from '../../../../src/server/http/signin/language.ts';
import { createViews } from '../../../../src/server/http/views.ts';
import { publicClient } from '../../../support/client.ts';

const templatesFolder = join(import.meta.dirname, '../../../../templates');
const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`;
const look = { label: '', issuer: 'http://localhost:9000', version: '1.2.3', dashboard: true, base: '/tenant' };
const views = createViews({ templatesFolder, look });
const client = { ...publicClient, client_id: 'tv', client_name: 'Living-room TV' };
const alice: TestUser = { sub: 'alice', username: 'alice', claims: { name: 'Alice Archer' }, access_token_claims: {} };
const mallory: TestUser = { sub: hostile, username: hostile, claims: { name: hostile }, access_token_claims: {} };
const source: DecisionSource = {
  language: english,
  users: new Map([alice, mallory].map(user => [user.sub, user])),
  scopes: new Map([
    ['openid', { name: 'openid', description: 'know who you are', claims: [], access_token_claims: {} }],
  ]),
  authorizationDetailsTypes: new Map(),
};
const session: Session = { id: 'i', sid: 's', sub: 'alice', auth_time: 1, acr: '0', amr: ['user'] };
const asked = { client, scopes: ['openid', 'other'], resources: [], authorization_details: [], expiresIn: 271 };
const confirm: DevicePage = {
  step: 'confirm',
  session,
  user_code: 'WDJB-MJHT',
  asked,
  userChanged: false,
  warns: true,
};

const path = '/tenant/oauth2/device_verification';
const device = (page: DevicePage) => views.device(deviceView(source, page, path));
const testIds = (html: string) => [...html.matchAll(/data-testid="([^"]+)"/g)].map(([, id]) => id);

describe('the verification page', () => {
  it('has the documented test ids where a code is typed', async () => {
    const html = await device({ step: 'enter', session });
    expect(testIds(html)).toEqual(['device-code', 'device-continue', 'device-switch']);
    expect(html).toContain(`<form class="fields" method="get" action="${path}">`);
  });

  it('has the documented test ids where it is decided', async () => {
    const html = await device(confirm);
    expect(testIds(html)).toEqual([
      'device-shown-code',
      'device-warning',
      'device-allow',
      'device-deny',
      'device-switch',
    ]);
    expect(html).toContain(`<form class="choices" method="post" action="${path}">`);
    expect(html).toContain('expires in 4:31</p>');
  });

  it('says what is asked for, in words where there are some', async () => {
    const html = await device(confirm);
    expect(html).toContain('<span>know who you are</span> <code>openid</code>');
    expect(html).toContain('<span>other</span> <code>other</code>');
    expect(await device({ ...confirm, asked: { ...asked, scopes: [] } })).toContain('requests no scopes');
  });

  it('shows authorization_details and resources, path and value', async () => {
    const authorization_details = [{ type: 'payment', amount: { currency: 'EUR' } }];
    const html = await device({
      ...confirm,
      asked: { ...asked, resources: ['https://api.example'], authorization_details },
    });
    for (const row of ['<dt>resource</dt><dd>https://api.example</dd>', '<dt>details</dt><dd>payment</dd>']) {
      expect(html).toContain(row);
    }
    expect(html).toContain('<dt>amount.currency</dt><dd>EUR</dd>');
  });

  it('warns of a client nobody has configured', async () => {
    const html = await device({ ...confirm, asked: { ...asked, client: { ...client, origin: 'registration' } } });
    expect(html).toContain('This app registered itself.');
  });

  it.each([
    ['unknown', 'No device is waiting for this code'],
    ['expired', 'This code has expired'],
    ['used', 'This code was already used'],
  ] as const)('says that a code is %s', async (problem, words) => {
    const html = await device({ step: 'enter', session, typed: 'WDJB', problem });
    expect(html).toMatch(new RegExp(`role="alert">${words}`));
    expect(html).toContain('value="WDJB"');
  });

  it('says that somebody else is signed in now', async () => {
    expect(await device({ ...confirm, userChanged: true })).toContain('Alice Archer is signed in now.');
  });
});

describe('the approval page', () => {
  const list = (page: Parameters<typeof approvalsView>[1]) =>
    views.approvals(approvalsView(source, page, '/tenant/approvals'));

  it('has the documented test ids', async () => {
    const waiting = [{ ...asked, id: 'one', binding_message: 'W4SCT' }];
    expect(testIds(await list({ session, waiting }))).toEqual([
      ...['approval-message', 'approval-allow', 'approval-deny', 'approvals-refresh', 'approvals-switch'],
    ]);
  });

  it.each([
    [{ decision: 'approved', client } as const, 'Done. Living-room TV continues with your approval.'],
    [{ decision: 'denied', client } as const, 'Denied. Living-room TV will be told.'],
    [{ decision: 'gone' } as const, 'This request is no longer waiting'],
  ])('says what became of a decision: %j', async (outcome, words) => {
    expect(await list({ session, waiting: [], outcome })).toContain(words);
  });
});

describe('the sign-in for a page of ours', () => {
  const signIn = (changes: Partial<SignInView>) => {
    const given = {
      language: english,
      page: { purpose: 'device' as const },
      mode: 'picker' as const,
      action: '/tenant/login/device?a=b',
    };
    return views.signIn(signInView(source, { ...given, lastUsed: undefined, ...changes }));
  };

  it('has a form for each user, to its own address', async () => {
    const html = await signIn({});
    expect(testIds(html)).toContain('login-user-alice');
    expect(html).toContain('action="/tenant/login/device?a=b"');
  });

  it('offers to go on as who is signed in', async () => {
    const html = await signIn({ page: { purpose: 'approvals', session } });
    expect(testIds(html)[0]).toBe('login-continue');
    expect(html).toContain('Sign in to see your pending approvals');
  });

  it('asks for a password by setting', async () => {
    const html = await signIn({ mode: 'password', notice: { word: 'wrongPassword' }, typed: 'eve' });
    expect(testIds(html)).toEqual(['login-username', 'login-password', 'login-submit']);
    expect(html).toContain('value="eve"');
  });
});

it('nothing that comes from strangers is ever markup', async () => {
  const hostileAsked = {
    client: { ...client, client_id: hostile, client_name: hostile, client_uri: `javascript:${hostile}` },
    scopes: [hostile],
    resources: [hostile],
    authorization_details: [{ type: hostile, [hostile]: hostile }],
    expiresIn: 1,
  };
  const as = { ...session, sub: hostile };
  const pages = await Promise.all([
    device({ step: 'enter', session: as, typed: hostile, problem: 'unknown' }),
    device({ ...confirm, session: as, asked: hostileAsked }),
    device({ step: 'done', session: as, decision: 'approved', client: hostileAsked.client }),
    views.approvals(
      approvalsView(
        source,
        { session: as, waiting: [{ ...hostileAsked, id: hostile, binding_message: hostile }] },
        path,
      ),
    ),
    views.signIn(
      signInView(source, {
        language: english,
        ...{ page: { purpose: 'device', session: as }, mode: 'picker', lastUsed: hostile },
        ...{ action: hostile, notice: { word: 'unknownUser' as const, values: { sub: hostile } }, typed: hostile },
      }),
    ),
  ]);
  for (const html of pages) {
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toMatch(/<script>|<img src=x|href="javascript:/);
  }
});
