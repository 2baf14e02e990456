import { describe, expect, it } from 'vitest';
import { explainRefusal, explanationView } from '../../../src/record/problems/explain.ts';
import { entries } from '../../../src/record/problems/reasons/index.ts';
import { referenceForm } from '../../../src/server/http/reference.ts';
import { english } from '../../../src/server/http/signin/language.ts';
import { hostile, views } from '../../dashboard/running-dashboard.ts';
import { createLog, knownOf, refuse } from './support.ts';

const reasons = Object.keys(entries);
const longText = `${hostile} ${'x'.repeat(5000)}`;

/** What an event may bring, from nothing to much too much. */
const shapes = {
  nothing: { sent: {}, request: undefined },
  'both values': { sent: { sent: 'one', expected: 'two or three' }, request: { method: 'POST', url: '/oauth2/token' } },
  'lists and addresses': {
    sent: { sent: 'http://a.test/x', expected: 'http://b.test/y\nhttp://c.test/z' },
    request: {
      method: 'GET',
      url: '/oauth2/authorize?client_id=frontend&redirect_uri=http%3A%2F%2Fa.test%2Fx&scope=a+b',
    },
  },
  'hostile text': {
    sent: { sent: longText, expected: longText, client_id: hostile, description: hostile },
    request: {
      ...{
        method: 'POST',
        url: `/oauth2/token?${encodeURIComponent(hostile)}`,
        body: `code=${hostile}&%&scope=${hostile}`,
      },
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: hostile,
        dpop: 'a.b.c',
        cookie: hostile,
      },
    },
  },
} as const;

describe.each(Object.entries(shapes))('with %s', (_shape, { sent, request }) => {
  it.each(reasons)('%s is explained', async reason => {
    const events = createLog();
    const known = knownOf(events);
    const refusal = refuse(events, { reason, ...sent }, request);
    const explanation = explainRefusal(known, refusal);
    const { title, why, certainty, others, fixes: proposed, references } = explanation;
    expect(title).toMatch(/^\S.{5,}[^.]$/s);
    expect(why).toMatch(/^\S.{10,}[.?]$/s);
    expect([title, why, ...others, ...proposed.map(({ text }) => text)].join(' ')).not.toMatch(
      /undefined|\[object|NaN|\{(client|sent|expected|path)\}/,
    );
    if (certainty === 'likely') expect(others.length).toBeGreaterThan(0);
    for (const { text } of proposed) expect(text).toMatch(/^[A-Z].*[.:?)]$/s);
    for (const reference of references) expect(reference).toMatch(referenceForm);
    expect(proposed.length + references.length).toBeGreaterThan(0);

    const explained = explanationView(explanation, 'req_1', '/dashboard/problems/req_1/fix');
    const html = await views.error({ language: english, status: 400, error: 'e', reason, description: 'd', explained });
    expect(html).toContain('data-testid="problem-why"');
    expect(html).not.toMatch(/<script>alert|<img src=x/);
  });
});

it('has a rule or a reason why there is none', () => {
  const without = reasons.filter(
    reason =>
      entries[reason as keyof typeof entries].rfc === '' &&
      entries[reason as keyof typeof entries].references === undefined,
  );
  expect(without).toEqual(['login_failed', 'user_unknown']);
});
