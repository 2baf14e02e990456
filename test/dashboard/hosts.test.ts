import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../src/base/events/event.ts';
import { atOnce } from '../../src/base/turns.ts';
import { diagnoseHosts, type HostContext, type HostDiagnosis } from '../../src/record/flows/host-diagnosis.ts';
import {
  agentOf,
  callerOf,
  type HostFact,
  hostFacts as hostFactsInPieces,
  type OwnAddresses,
} from '../../src/record/flows/hosts.ts';

const issuer = 'http://localhost:9000';
const context: HostContext = { issuer, allowedHosts: [], jwksPath: '/oauth2/jwks', scheme: 'http' };

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const java = 'Java-http-client/17.0.2';
const at = { discovery: '/.well-known/openid-configuration', jwks: '/oauth2/jwks', authorize: '/oauth2/authorize' };

type Sent = Readonly<Record<string, string>>;
let made = 0;

/** A request as it is recorded. */
function request(host: string, endpoint: string, headers: Sent, status = 200): EventOf<'request.completed'> {
  const requestHeaders = Object.entries({ Host: host, ...headers }).flat();
  const path = at[endpoint as keyof typeof at] ?? `/${endpoint}`;
  const id = ++made;
  return {
    ...{ type: 'request.completed', id, at: id, requestId: `req_${id}` },
    ...{ endpoint, method: 'GET', path, status, milliseconds: 1 },
    exchange: { url: path, ip: '127.0.0.1', requestHeaders: requestHeaders.join('\n'), responseHeaders: '' },
  };
}

const byChrome = (host: string, endpoint = 'authorize', status?: number) =>
  request(host, endpoint, { 'User-Agent': chrome, 'Sec-Fetch-Site': 'cross-site' }, status);
const byJava = (host: string, endpoint = 'discovery', status?: number) =>
  request(host, endpoint, { 'User-Agent': java }, status);

function hostFacts(requests: readonly EventOf<'request.completed'>[], own: OwnAddresses): readonly HostFact[] {
  return atOnce(hostFactsInPieces(requests, own));
}

function diagnose(requests: readonly EventOf<'request.completed'>[], changes: Partial<HostContext> = {}) {
  const all = { ...context, ...changes };
  return diagnoseHosts(hostFacts(requests, all), all);
}

/** The only one. */
function diagnosisOf(requests: readonly EventOf<'request.completed'>[], changes?: Partial<HostContext>): HostDiagnosis {
  const [only, ...others] = diagnose(requests, changes);
  if (only === undefined || others.length > 0) throw new Error(`${others.length + (only ? 1 : 0)} diagnoses`);
  return only;
}

const linesOf = ({ fixes }: HostDiagnosis) =>
  Object.fromEntries(fixes.map(({ id, lines }) => [id, lines.map(({ code }) => code)]));

describe('who a caller is', () => {
  it.each([
    ['browser', 'Chrome', { 'User-Agent': chrome, 'Sec-Fetch-Site': 'none' }],
    // over plain HTTP on a name of the network there is no Sec-Fetch-Site
    ['browser', 'Chrome', { 'user-agent': chrome }],
    ['browser', 'Firefox', { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' }],
    ['browser', 'Edge', { 'User-Agent': `${chrome} Edg/141.0.0.0` }],
    ['browser', 'Safari', { 'User-Agent': 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1 Version/18.1 Safari/605.1' }],
    // Node's fetch says how, but not from where
    ['backend', 'node', { 'user-agent': 'node', 'sec-fetch-mode': 'cors' }],
    ['backend', java, { 'User-Agent': java }],
    ['backend', 'python-requests/2.32.3', { 'User-Agent': 'python-requests/2.32.3' }],
    ['backend', 'openid-client/v6.8.0', { 'User-Agent': 'openid-client/v6.8.0 (node)' }],
    // .NET's HttpClient says nothing
    ['backend', '', {}],
    ['tool', 'curl/8.5.0', { 'User-Agent': 'curl/8.5.0' }],
    ['tool', 'PostmanRuntime/7.43.0', { 'User-Agent': 'PostmanRuntime/7.43.0' }],
  ])('%s %s by %o', (caller, agent, headers) => {
    const { requestHeaders } = request('localhost:9000', 'jwks', headers as Sent).exchange;
    expect([callerOf(requestHeaders), agentOf(requestHeaders)]).toEqual([caller, agent]);
  });
});

describe('the names a server was reached by', () => {
  it('are each with who used them for what, the own addresses first', () => {
    const requests = [
      byJava('idp:9000'),
      byJava('idp:9000', 'jwks'),
      byChrome('localhost:9000'),
      byJava('idp:9000', 'jwks'),
      request('idp:9000', 'token', { 'User-Agent': 'curl/8.5.0' }),
      byJava('api:9000', 'jwks'),
    ];
    const facts = hostFacts(requests, { issuer, backchannelUrl: 'http://api:9000' });
    expect(facts.map(({ host, side, count }) => [host, side, count])).toEqual([
      ['localhost:9000', 'issuer', 1],
      ['api:9000', 'backchannel', 1],
      ['idp:9000', 'other', 4],
    ]);
    expect(facts[2]).toMatchObject<Partial<HostFact>>({
      isServed: true,
      lastAt: requests[4]?.at ?? 0,
      uses: [
        expect.objectContaining({ caller: 'tool', agent: 'curl/8.5.0', count: 1, requestId: requests[4]?.requestId }),
        expect.objectContaining({
          ...{ caller: 'backend', agent: java, count: 3, lastAt: requests[3]?.at },
          calls: [
            { endpoint: 'jwks', method: 'GET', path: '/oauth2/jwks', count: 2 },
            { endpoint: 'discovery', method: 'GET', path: at.discovery, count: 1 },
          ],
        }),
      ],
    });
  });

  it.each([
    ['LOCALHOST:9000', issuer],
    ['login.test', 'https://login.test/tenant'],
    ['login.test:443', 'https://login.test'],
    ['login.test:80', 'http://login.test'],
  ])('%s is that of %s', (host, own) => {
    expect(hostFacts([byChrome(host)], { issuer: own })[0]?.side).toBe('issuer');
  });

  it('are those a proxy was asked by', () => {
    const headers = { 'User-Agent': chrome, 'X-Forwarded-Host': 'login.test, inner' };
    const facts = hostFacts([request('idp:9000', 'authorize', headers)], { issuer: 'https://login.test' });
    expect(facts).toMatchObject([{ host: 'login.test', side: 'issuer' }]);
  });

  it('do not count what the dashboard asks, nor who only came to look', () => {
    const own = request('127.0.0.1:9000', 'token', { 'User-Agent': 'Grantbox' });
    expect(hostFacts([own, byChrome('127.0.0.1:9000', 'home')], { issuer })).toEqual([]);
  });

  it('are bounded, and so are those who use one and what they ask for', () => {
    const flood = Array.from({ length: 500 }, (_, n) => byJava(`host-${n}:9000`));
    expect(hostFacts(flood, { issuer }).length).toBeLessThan(20);
    const agents = Array.from({ length: 500 }, (_, n) =>
      request('idp', `path-${n}`, { 'User-Agent': `agent-${n % 2 === 0 ? n : 1}` }),
    );
    const [fact] = hostFacts(agents, { issuer });
    expect(fact?.uses.length).toBeLessThan(20);
    expect(fact?.uses.every(({ calls }) => calls.length < 20)).toBe(true);
    expect(fact?.count).toBe(500);
  });
});

describe('a diagnosis', () => {
  it('is none where everybody uses the name of the issuer', () => {
    expect(diagnose([byChrome('localhost:9000'), byJava('localhost:9000'), byJava('localhost:9000', 'jwks')])).toEqual(
      [],
    );
    expect(diagnose([])).toEqual([]);
  });

  it('is none for a back end at the address of back ends, and for a person with a tool', () => {
    const backchannelUrl = 'http://idp:9000';
    expect(diagnose([byJava('idp:9000'), byChrome('localhost:9000')], { backchannelUrl })).toEqual([]);
    expect(diagnose([request('127.0.0.1:9000', 'discovery', { 'User-Agent': 'curl/8.5.0' })])).toEqual([]);
  });

  it('of a back end under another name says both names, and the lines for each way out', () => {
    const read = byJava('idp:9000');
    const diagnosis = diagnosisOf([byChrome('localhost:9000'), read, byJava('idp:9000', 'jwks')]);
    expect(diagnosis).toMatchObject({ kind: 'backend_elsewhere', isProblem: true, certainty: 'likely' });
    expect(diagnosis.title).toContain('idp:9000');
    expect(diagnosis.title).toContain(issuer);
    expect(diagnosis.fixes.map(({ id }) => id)).toEqual(['keys', 'one_name', 'backchannel']);
    const lines = linesOf(diagnosis);
    expect(lines.keys?.[0]).toBe(
      'spring.security.oauth2.resourceserver.jwt.issuer-uri=http://localhost:9000\n' +
        'spring.security.oauth2.resourceserver.jwt.jwk-set-uri=http://idp:9000/oauth2/jwks',
    );
    expect(lines.one_name?.[0]).toContain('  idp:\n    environment:\n      ISSUER: http://idp.localhost:9000\n');
    expect(lines.one_name?.[0]).toContain('aliases: [idp.localhost]');
    expect(lines.backchannel).toEqual([
      'BACKCHANNEL_URL=http://idp:9000',
      'http://idp:9000/.well-known/openid-configuration\nhttp://localhost:9000',
    ]);
  });

  it('of a back end with addresses written down is no problem: it says what iss has to be', () => {
    const diagnosis = diagnosisOf([byJava('idp:9000', 'jwks')]);
    expect(diagnosis).toMatchObject({ kind: 'backend_by_hand', isProblem: false, fixes: [] });
    expect(diagnosis.words).toContain('GET /oauth2/jwks');
    expect(diagnosis.words).toContain(issuer);
  });

  it('of a back end on this machine sends it to the name of the issuer', () => {
    const diagnosis = diagnosisOf([byJava('127.0.0.1:9000')]);
    expect(linesOf(diagnosis)).toMatchObject({
      issuer_name: [issuer],
      backchannel: ['BACKCHANNEL_URL=http://127.0.0.1:9000', expect.any(String)],
    });
  });

  it('of another back end says what would be replaced', () => {
    const { fixes } = diagnosisOf([byJava('other:9000')], { backchannelUrl: 'http://idp:9000/tenant' });
    expect(fixes.find(({ id }) => id === 'backchannel')?.text).toContain('replaces http://idp:9000.');
  });

  it('of an issuer with a path keeps the path', () => {
    const own = { issuer: 'http://localhost:9000/tenant', jwksPath: '/tenant/oauth2/jwks' };
    const lines = linesOf(diagnosisOf([byJava('idp:9000')], own));
    expect(lines.keys?.[0]).toContain('jwk-set-uri=http://idp:9000/tenant/oauth2/jwks');
    expect(lines.one_name?.[0]).toContain('ISSUER: http://idp.localhost:9000/tenant');
    expect(lines.backchannel).toEqual([
      'BACKCHANNEL_URL=http://idp:9000',
      'http://idp:9000/tenant/.well-known/openid-configuration\nhttp://localhost:9000/tenant',
    ]);
  });

  it('of a browser under another name of this machine sends it to that of the issuer', () => {
    const diagnosis = diagnosisOf([byChrome('127.0.0.1:9000')]);
    expect(diagnosis).toMatchObject({ kind: 'browser_elsewhere', isProblem: true });
    expect(diagnosis.title).toContain('127.0.0.1:9000');
    expect(diagnosis.title).toContain(issuer);
    expect(linesOf(diagnosis)).toEqual({ issuer_name: [issuer] });
  });

  it('of a browser that cannot know the issuer swaps the two addresses', () => {
    const own = { issuer: 'http://idp:9000' };
    const diagnosis = diagnosisOf([byChrome('localhost:9000'), byJava('idp:9000')], own);
    expect(linesOf(diagnosis)).toMatchObject({
      swap: ['ISSUER=http://localhost:9000\nBACKCHANNEL_URL=http://idp:9000'],
      one_name: [expect.stringContaining('ISSUER: http://idp.localhost:9000')],
    });
  });

  it('warns of a browser over plain HTTP on a name that is not localhost', () => {
    const warned = diagnosisOf([byChrome('idp:9000')], { issuer: 'http://idp:9000' });
    expect(warned).toMatchObject({ kind: 'insecure_name', isProblem: false, certainty: 'certain' });
    expect(warned.title).toContain('http://idp:9000');
    expect(warned.words).toContain('crypto.subtle');
    const kinds = diagnose([byChrome('idp:9000')]).map(({ kind }) => kind);
    expect(kinds).toEqual(['browser_elsewhere', 'insecure_name']);
  });

  it.each([
    ['http://idp.localhost:9000', 'idp.localhost:9000'],
    ['http://127.0.0.1:9000', '127.0.0.1:9000'],
    ['http://[::1]:9000', '[::1]:9000'],
    ['https://login.test', 'login.test'],
  ])('does not at %s', (own, host) => {
    expect(diagnose([byChrome(host)], { issuer: own })).toEqual([]);
  });

  it('of a name that was refused has the line that allows it, with those that are allowed already', () => {
    const diagnosis = diagnosisOf([byChrome('grantbox.test:9000', 'unknown', 421)], { allowedHosts: ['other', '::2'] });
    expect(diagnosis).toMatchObject({ kind: 'host_refused', isProblem: true, certainty: 'certain' });
    expect(diagnosis.title).toContain('grantbox.test:9000');
    expect(diagnosis.title).toContain('localhost:9000');
    expect(linesOf(diagnosis)).toEqual({
      allow: ['ALLOWED_HOSTS=other,::2,grantbox.test', "allowedHosts: ['other', '::2', 'grantbox.test'],"],
    });
  });

  it('of a back end that was refused has the address of back ends first, which allows it too', () => {
    const diagnosis = diagnosisOf([byJava('idp:9000', 'unknown', 421)]);
    expect(diagnosis.fixes.map(({ id }) => id)).toEqual(['backchannel', 'allow']);
    expect(linesOf(diagnosis).allow?.[0]).toBe('ALLOWED_HOSTS=idp');
  });

  it('says nothing of a refusal once the name is served', () => {
    const diagnosis = diagnosisOf([byJava('idp:9000', 'unknown', 421), byJava('idp:9000', 'jwks')]);
    expect(diagnosis.kind).toBe('backend_by_hand');
  });

  it.each(['idp:9000\u0000', '$(reboot)', 'a b', '<b>', "x'", 'a/../b', '-x', 'x;y'])(
    'of a Host that is no name has no line to paste: %j',
    host => {
      const forged = request('x', 'unknown', { 'User-Agent': java, Host: host }, 421);
      const diagnosis = diagnosisOf([forged]);
      expect(diagnosis).toMatchObject({ kind: 'host_refused', fixes: [] });
    },
  );
});
