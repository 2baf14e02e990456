import { describe, expect, it } from 'vitest';
import { formAsTyped, formOfClient, membersOf, problemsByField } from '../../src/dashboard/clients/client-form.ts';
import { quickMembers, typedQuickForm } from '../../src/dashboard/clients/client-list.ts';
import { checkClient } from '../../src/sandbox/config/client/client-rules.ts';
import { registeredClient } from '../../src/sandbox/config/entry-defaults.ts';
import type { ClientEntry } from '../../src/sandbox/config/sandbox-config.ts';
import { clientEntryOf } from '../../src/sandbox/control/entry.ts';
import { patched } from '../../src/sandbox/control/outcome.ts';

const defaults = { scope: 'openid', accessTokenLifetime: 300, requirePkce: false, idTokenAlg: 'RS256', consent: false };

const entries: readonly ClientEntry[] = [
  { client_id: 'spa', redirect_uris: ['https://a.example/', 'https://b.example/x?y=1'], scope: 'openid email' },
  {
    client_id: 'web',
    client_secret: 's \'e" cret',
    token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'],
    redirect_uris: ['https://web.example/'],
    grant_types: ['authorization_code', 'refresh_token', 'implicit'],
    scope: 'openid',
    require_pkce: true,
    require_consent: true,
    audience: ['one', 'two'],
    access_token_format: 'opaque',
    id_token_lifetime: 30,
    refresh_token_rotation: false,
    id_token_claims: 'all',
    backchannel_logout_uri: 'https://web.example/logout',
    access_token_claims: { tenant: { id: 7 } },
  },
  { client_id: 'machine', client_secret: 'x', grant_types: ['client_credentials'], scope: 'a:read b:write' },
];

/** As a browser sends the form. */
function sent(form: ReturnType<typeof formOfClient>): URLSearchParams {
  const typed = new URLSearchParams({ more: form.more });
  for (const [name, values] of Object.entries(form.values)) {
    const isArea = name.endsWith('_uris') || name === 'audience';
    for (const value of isArea ? [values.join('\r\n')] : values) typed.append(name, value);
  }
  return typed;
}

describe('the form of a client', () => {
  it.each(entries)('of $client_id, sent as it is, changes nothing', entry => {
    const client = registeredClient(entry, defaults);
    const written = clientEntryOf(client, defaults);
    const form = formOfClient(client, written);
    const { client_id: _, ...more } = JSON.parse(form.more);
    expect(membersOf(formAsTyped(sent(form)), written, form.values)).toEqual({ members: more });
    expect(patched(written, more)).toEqual(written);
  });

  it('returns empty fields to their default, except lists that must not be empty', () => {
    const read = membersOf(
      formAsTyped(new URLSearchParams('client_name=+&redirect_uris=%0A&access_token_lifetime=')),
      {},
    );
    expect(read).toMatchObject({
      members: {
        client_name: null,
        redirect_uris: null,
        access_token_lifetime: null,
        grant_types: [],
        require_pkce: false,
      },
    });
  });

  it('leaves text in number fields to the validation', () => {
    const read = membersOf(formAsTyped(new URLSearchParams('access_token_lifetime=5+minutes')), {});
    expect(read).toMatchObject({ members: { access_token_lifetime: '5 minutes' } });
  });

  it('takes members away that are no longer in the JSON', () => {
    const typed = formAsTyped(new URLSearchParams({ more: '{"default_max_age": 60}' }));
    expect(membersOf(typed, { client_id: 'a', logo_uri: 'https://a.example/logo', scope: 'openid' })).toMatchObject({
      members: { logo_uri: null, default_max_age: 60, scope: null },
    });
  });

  it.each([
    ['{"scope": "openid"}', 'scope'],
    ['{"client_id": "b"}', 'client_id'],
    ['{"token_endpoint_auth_method": "none"}', 'token_endpoint_auth_method'],
  ])('refuses in the JSON what has a field: %s', (more, name) => {
    expect(membersOf(formAsTyped(new URLSearchParams({ more })), {})).toMatchObject({
      problems: [{ member: 'more', sent: name }],
    });
  });

  it('names the line of invalid JSON', () => {
    const read = membersOf(formAsTyped(new URLSearchParams({ more: '{\n  "a": 1,\n}' })), {});
    expect(read).toMatchObject({ problems: [{ member: 'more', expected: expect.stringContaining('line 3') }] });
  });
});

describe('a problem', () => {
  it('is below its field, or below the JSON if it has no field', () => {
    expect(
      problemsByField([
        { member: 'redirect_uris[1]', sent: '"x"', expected: 'an absolute URI' },
        { member: 'token_endpoint_auth_method', expected: 'one' },
        { member: 'jwks.keys[0].d', expected: 'public keys only' },
        { member: 'scopes', expected: 'a known name', nearest: 'scope' },
        { member: '', expected: 'less' },
      ]),
    ).toEqual({
      redirect_uris: ['"x" was sent, expected an absolute URI.'],
      token_endpoint_auth_methods: ['expected one.'],
      more: ['expected public keys only.', 'expected a known name (did you mean scope?).'],
      '': ['expected less.'],
    });
  });
});

describe('the short form', () => {
  it.each(['public', 'confidential', 'machine'])('makes a client nothing is wrong with: %s', kind => {
    const typed = new URLSearchParams({ client_id: 'new', kind, redirect_uris: '', scope: 'openid  email' });
    expect(checkClient(quickMembers(typedQuickForm(typed)))).toEqual([]);
  });
});
