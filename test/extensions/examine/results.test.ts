import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Examination } from '../../../src/extensions/examine/examination.ts';
import { examinationAsText } from '../../../src/extensions/examine/examination-formats.ts';
import { examinationAsBadge } from '../../../src/extensions/examine/results/badge.ts';
import { certificateOf, sealed, verified } from '../../../src/extensions/examine/results/certificate.ts';
import {
  examinationAsExpectedFailures,
  expectedFailuresIn,
} from '../../../src/extensions/examine/results/expected-failures.ts';
import { examinationAsHtml } from '../../../src/extensions/examine/results/html.ts';
import { examinationAsSarif } from '../../../src/extensions/examine/results/sarif.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { newFolder } from '../../support/new-folder.ts';
import { readXml } from '../report/well-formed.ts';
import { careful, createCarefulClient } from './careful-client.ts';

const modules = ['invalid-iss', 'invalid-secondary-aud', 'missing-sub'];
const [forgetful, lenient] = [createCarefulClient('invalid-iss'), createCarefulClient('invalid-secondary-aud')];

/** Fails invalid-iss, is warned of invalid-secondary-aud, and passes the others. */
async function examinedWith(seed: string): Promise<Examination> {
  const sandbox: Sandbox = await createSandbox({ clients: [careful], seed });
  try {
    return await sandbox.examine({
      modules,
      user: 'alice',
      login: at => (at.module === 'invalid-iss' ? forgetful : lenient)(at),
    });
  } finally {
    await sandbox.stop();
  }
}

let result: Examination;
beforeAll(async () => {
  result = await examinedWith('the same');
});

const hostile = `</pre></title><script>alert(1)</script>]]>"'&\u001b[31m`;

/** The app and its library write what they want. */
function withHostileWords(): Examination {
  const [first, ...others] = result.modules;
  if (first === undefined) throw new Error('no module');
  return {
    ...result,
    title: hostile,
    modules: [{ ...first, verdict: 'fail', said: hostile, why: hostile }, ...others],
  };
}

describe('the certificate', () => {
  it('has each module with its verdict, and the digest of the result', () => {
    const certificate = certificateOf(result);
    expect(certificate).toMatchObject({
      format: 'grantbox-examination-certificate',
      plan: 'relying-party',
      grantbox: expect.stringMatching(/^\d+\.\d+\.\d+/),
      createdAt: result.createdAt,
      verdict: 'fail',
      digest: { algorithm: 'SHA-256', result: sealed(result).digest.result },
    });
    expect(certificate.modules.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['test', 'pass'],
      ['invalid-iss', 'fail'],
      ['missing-sub', 'pass'],
      ['invalid-secondary-aud', 'warn'],
    ]);
    expect(JSON.stringify(certificate)).not.toContain('req_');
  });

  it('has the same digest for two runs with the same SEED, and another one for another outcome', async () => {
    const again = await examinedWith('the same');
    expect(certificateOf(again).digest.result).toBe(certificateOf(result).digest.result);
    expect(certificateOf(again).digest.events).toBe(certificateOf(result).digest.events);
    const { modules: all } = again;
    const better = { ...again, modules: all.map(each => ({ ...each, verdict: 'pass' as const })) };
    expect(certificateOf(better).digest.result).not.toBe(certificateOf(result).digest.result);
  });

  it.each([
    ['a certificate', certificateOf],
    ['a result', sealed],
  ])('%s that was formatted anew is as it was written', (_, make) => {
    const text = JSON.stringify(Object.fromEntries(Object.entries(make(result)).reverse()));
    expect(verified(JSON.parse(text))?.problems).toEqual([]);
  });

  it.each<[what: string, change: (text: string) => string, problem: RegExp]>([
    [
      'a verdict',
      text => text.replace(/("id":"invalid-iss".*?"verdict":)"fail"/, '$1"pass"'),
      /^The summary says 1 fail/,
    ],
    ['the version', text => text.replace(/"grantbox":"[^"]+"/, '"grantbox":"9.9.9"'), /^The result was changed/],
    ['the plan', text => text.replace('"relying-party"', '"oauth-bcp"'), /^The result was changed/],
    ['the date', text => text.replace(/"createdAt":"\d{4}/, '"createdAt":"1999'), /^Another part of the file/],
    ['a sentence', text => text.replace('The app took it', 'The app refused it'), /^Another part of the file/],
    ['a status', text => text.replace('"status":200', '"status":401'), /^The requests of \S+ are not those/],
    ['a digest', text => text.replace(/("events":")\w{4}/, '$10000'), /are not those that its digest was made of/],
  ])('says that %s was changed', (_, change, problem) => {
    const whole = JSON.stringify(sealed(result));
    const changed = change(whole);
    expect(changed).not.toBe(whole);
    expect(verified(JSON.parse(changed))?.problems[0]).toMatch(problem);
  });

  it('--verify says whether a file is as it was written', async () => {
    observes('command examine --verify');
    const { digest } = certificateOf(result);
    const text = JSON.stringify(certificateOf(result));
    const cwd = newFolder({});
    const write = (name: string, content: string) => writeFileSync(join(cwd, name), content);
    write('good.json', text);
    write('bad.json', text.replace(/"verdict":"warn"/g, '"verdict":"pass"'));
    write('other.json', '{"format":"grantbox-client-report"}');
    const good = await type(['examine', '--verify', 'good.json'], { cwd });
    expect(good).toMatchObject({ code: 0, note: '' });
    expect(good.out).toContain(`good.json is as it was written.\n`);
    expect(good.out).toContain(`Digest of the result: ${digest.result}\n`);
    expect(good.out).toContain('It does not show who ran the examination');
    expect(await type(['examine', '--verify', 'bad.json'], { cwd })).toEqual({
      code: 1,
      out: '',
      note: `grantbox examine: bad.json is not as it was written
The summary says 1 warn, and the modules have 0.
The result was changed: the plan, the version of Grantbox, a module or a verdict.
`,
    });
    const other = await type(['examine', '--verify', 'other.json'], { cwd });
    expect([other.code, other.note]).toEqual([
      1,
      expect.stringContaining('other.json is no certificate, and no result'),
    ]);
    const missing = await type(['examine', '--verify', 'missing.json'], { cwd });
    expect([missing.code, missing.note]).toEqual([1, expect.stringContaining('missing.json cannot be read')]);
  });
});

describe('as HTML', () => {
  it('is one file that loads nothing, and shows each finding with its request and its section', async () => {
    const html = await examinationAsHtml(result);
    expect(html).toContain(`default-src 'none'`);
    expect(html).not.toMatch(/<(script|img|link|iframe|b)\b|\ssrc=|url\(|@import/);
    expect(html).toMatch(/light-dark\(/);
    expect(html.indexOf('id="invalid-iss"')).toBeLessThan(html.indexOf('id="invalid-secondary-aud"'));
    expect(html.indexOf('id="invalid-secondary-aud"')).toBeLessThan(html.indexOf('<details class="others">'));
    expect(html).toContain('A server that the app does not trust signs people in.');
    expect(html).toMatch(/POST \/\S*oauth2\/token 200, changed by changed_claims/);
    expect(html).toContain('href="https://openid.net/specs/openid-connect-core-1_0.html"');
    expect(html).toContain(sealed(result).digest.result);
    expect(html.match(/<li class="check"/g)).toHaveLength(result.modules.length);
  });

  it('counts warnings', async () => {
    const told = async (warn: number) => examinationAsHtml({ ...result, summary: { ...result.summary, warn } });
    expect(await told(1)).toContain('>1 warning</span>');
    expect(await told(2)).toContain('>2 warnings</span>');
  });

  it('closes what it opens, and escapes what the app said', async () => {
    const html = await examinationAsHtml(withHostileWords());
    expect(html).not.toMatch(/<script/);
    expect(html).toContain('&lt;script&gt;alert(1)');
    for (const tag of [
      'main',
      'ul',
      'li',
      'details',
      'summary',
      'bdi',
      'dl',
      'dt',
      'dd',
      'p',
      'pre',
      'code',
      'a',
      'h2',
    ])
      expect([tag, html.split(`<${tag}>`).length + html.split(`<${tag} `).length]).toEqual([
        tag,
        html.split(`</${tag}>`).length + 1,
      ]);
  });
});

describe('for a terminal', () => {
  it('says once why modules that follow each other are not applicable', () => {
    const absent = { verdict: 'not_applicable', why: 'The app sends no DPoP proof.' } as const;
    const [first, second, third] = result.modules.map(each => ({ ...each, ...absent }));
    if (first === undefined || second === undefined || third === undefined) throw new Error('no module');
    const text = examinationAsText({ ...result, modules: [first, second, { ...third, why: 'The app is public.' }] });
    expect(text.split('\n').slice(2, 7)).toEqual([
      expect.stringMatching(/^- {5}test /),
      expect.stringMatching(/^- {5}invalid-iss /),
      '        The app sends no DPoP proof.',
      expect.stringMatching(/^- {5}\S+ /),
      '        The app is public.',
    ]);
  });
});

describe('as SARIF', () => {
  const read = (examination: Examination) => JSON.parse(examinationAsSarif(examination)).runs[0];

  it('has a rule for each module, with its help and references', () => {
    const { tool } = read(result);
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(result.modules.map(({ id }) => id));
    expect(tool.driver.rules[1]).toMatchObject({
      helpUri: 'https://openid.net/specs/openid-connect-core-1_0.html',
      help: {
        text: expect.stringContaining('What it costs: A server that the app does not trust signs people in.'),
        markdown: expect.stringContaining(
          '[OIDC Core §3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html)',
        ),
      },
      properties: { tags: ['security', 'oauth', 'oidcc-client-test-invalid-iss'] },
    });
  });

  it('has a result for each module that failed or warned, with its requests', () => {
    const { results, tool } = read(result);
    expect(results.map(({ ruleId, level }: { ruleId: string; level: string }) => [ruleId, level])).toEqual([
      ['invalid-iss', 'error'],
      ['invalid-secondary-aud', 'warning'],
    ]);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(results[0].message.text).toMatch(/^The app took it: somebody is signed in\.\nPOST .*token 200/);
  });
});

describe('as a badge', () => {
  it.each([
    [{ fail: 2, warn: 1 }, 'fail', '2 failed', '#b3261e'],
    [{ warn: 1 }, 'warn', '1 warning', '#855000'],
    [{ inconclusive: 3 }, 'inconclusive', '3 inconclusive', '#474f63'],
    [{ pass: 12 }, 'pass', '12 passed', '#146c3a'],
  ] as const)('says %j', (counts, verdict, words, colour) => {
    const none = { fail: 0, warn: 0, inconclusive: 0, pass: 0, not_applicable: 0 };
    const svg = examinationAsBadge({ ...result, verdict, summary: { ...none, ...counts } });
    expect(readXml(`<?xml version="1.0" encoding="UTF-8"?>${svg}`).attributes['aria-label']).toBe(
      `grantbox relying-party: ${words}`,
    );
    expect(svg).toContain(`fill="${colour}"`);
  });
});

describe('as expected failures of the OpenID Foundation', () => {
  it('has an entry for each module that failed or warned, by the name of the suite', () => {
    const entries = JSON.parse(examinationAsExpectedFailures(result));
    expect(entries).toEqual([
      {
        'test-name': 'oidcc-client-test-invalid-iss',
        variant: '*',
        'configuration-filename': '*',
        'current-block': '*',
        condition: 'invalid-iss',
        'expected-result': 'failure',
        comment: 'The ID token names another issuer. The app took it: somebody is signed in.',
      },
      expect.objectContaining({ 'expected-result': 'warning', condition: 'invalid-secondary-aud' }),
    ]);
    const known = expectedFailuresIn(entries, 'relying-party');
    expect([...known]).toEqual([
      ['invalid-iss', 'fail'],
      ['invalid-secondary-aud', 'warn'],
    ]);
  });

  it('names modules of our own so that they are found again', () => {
    const own = { ...result, modules: result.modules.map(({ suite: _, ...each }) => ({ ...each, id: 'expired' })) };
    const text = examinationAsExpectedFailures({ ...own, plan: 'resource-server' });
    expect(text).toContain('"grantbox-resource-server-expired"');
    expect(expectedFailuresIn(JSON.parse(text), 'resource-server').get('expired')).toBe('fail');
  });

  const entry = (name: string, result = 'failure') => ({ 'test-name': name, 'expected-result': result });

  it('are read with the wildcards of the suite, and the worse of two entries counts', () => {
    const read = (...entries: readonly unknown[]) => [...expectedFailuresIn(entries, 'relying-party').keys()];
    expect(read(entry('oidcc-client-test-invalid-i*'))).toEqual(['invalid-iss']);
    expect(read(entry('oidcc-client-test-nonce-invali?'))).toEqual(['nonce-invalid']);
    expect(read(entry('oidcc-server-*'))).toEqual([]);
    expect(read(entry('oidcc.client.test.invalid.iss'))).toEqual([]);
    const both = [entry('oidcc-client-test-invalid-iss'), entry('*', 'warning')];
    expect(expectedFailuresIn(both, 'relying-party').get('invalid-iss')).toBe('fail');
    expect(expectedFailuresIn(both, 'relying-party').get('nonce-invalid')).toBe('warn');
  });

  it.each<[what: readonly unknown[], problem: string]>([
    [[{}], 'entry 1 has no test-name'],
    [[entry('a'), null], 'entry 2 has no test-name'],
    [[entry('a', 'skip')], 'entry 1 has the expected-result "skip", expected "failure" or "warning"'],
  ])('says what is wrong in %j', (entries, problem) => {
    expect(() => expectedFailuresIn(entries, 'relying-party')).toThrow(problem);
  });
});
