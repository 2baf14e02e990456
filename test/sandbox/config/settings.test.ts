import { describe, expect, it } from 'vitest';
import { type SettingName, settingGroups } from '../../../src/sandbox/config/settings.ts';
import { formatDefault, renderSettings } from '../../../src/sandbox/config/settings-table.ts';
import { loadConfig } from '../../support/load-config.ts';
import { settingList } from '../../support/tables.ts';
import { problemsOf } from './support.ts';

describe('the table of settings', () => {
  it('has each flag and each variable once', () => {
    const flags = settingList.flatMap(({ flag }) => flag ?? []);
    expect(new Set(flags).size).toBe(flags.length);
    expect(new Set(settingList.map(({ env }) => env)).size).toBe(settingList.length);
  });

  it('names flags after settings', () => {
    const names = settingList.filter(({ flag, name }) => flag !== undefined && name !== 'configFile');
    const kebab = names.map(({ name }) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`));
    expect(names.map(({ flag }) => flag)).toEqual(kebab);
  });

  it('has no flag for a secret', () => {
    expect(settingList.filter(({ secret, flag }) => secret && flag !== undefined)).toEqual([]);
  });

  it('accepts its own defaults', () => {
    for (const row of settingList.filter(each => each.default !== undefined && each.defaultText === undefined)) {
      if (Array.isArray(row.default) && row.default.length === 0) continue;
      expect(row.format.read(formatDefault(row)), row.name).toEqual({ value: row.default });
    }
  });

  it('renders a Markdown table for each group, with a row for each setting', () => {
    const lines = renderSettings(settingList)
      .split('\n')
      .filter(line => line.startsWith('|'));
    expect(lines).toHaveLength(settingList.length + 2 * settingGroups.length);
    expect(lines[0]).toBe('| setting | flag | environment | values | default |');
    expect(lines[2]).toBe('| Port to listen on; 0 takes a free one | `--port` | `PORT` | 0 to 65535 | 9000 |');
    for (const { env } of settingList)
      expect(
        lines.some(line => line.includes(`\`${env}\``)),
        env,
      ).toBe(true);
    for (const line of lines) expect(line.split('|')).toHaveLength(7);
  });
});

const values: readonly [SettingName, string, unknown][] = [
  ['port', '0', 0],
  ['port', '65535', 65_535],
  ['host', '0.0.0.0', '0.0.0.0'],
  ['host', '::1', '::1'],
  ['issuer', 'https://login.example/tenant', 'https://login.example/tenant'],
  ['backchannelUrl', 'http://idp:9000', 'http://idp:9000'],
  ['label', 'team A', 'team A'],
  ['signingAlg', 'Ed25519', 'Ed25519'],
  ['seed', 'a seed', 'a seed'],
  ['scopeClaim', 'array', 'array'],
  ['codeLifetime', '90s', 90],
  ['idTokenLifetime', '5m', 300],
  ['sessionLifetime', '8h', 28_800],
  ['refreshTokenLifetime', '1d', 86_400],
  ['deviceCodeLifetime', '10m', 600],
  ['pushedRequestLifetime', '5s', 5],
  ['pollInterval', '1', 1],
  ['loginMode', 'password', 'password'],
  ['acrValues', 'urn:bronze, urn:gold', ['urn:bronze', 'urn:gold']],
  ['dashboard', 'off', 'off'],
  ['dashboard', 'No', 'off'],
  ['dashboard', 'readonly', 'readonly'],
  ['dashboardAllowedOrigins', 'http://localhost:3000', ['http://localhost:3000']],
  ['errorUri', 'true', true],
  ['corsOrigins', '*', '*'],
  [
    'corsOrigins',
    'null capacitor://localhost tauri://localhost',
    ['null', 'capacitor://localhost', 'tauri://localhost'],
  ],
  ['corsOrigins', 'chrome-extension://abcdefghijklmnop', ['chrome-extension://abcdefghijklmnop']],
  ['corsOrigins', 'http://localhost:3000, https://app.example', ['http://localhost:3000', 'https://app.example']],
  ['allowedHosts', 'grantbox host.docker.internal', ['grantbox', 'host.docker.internal']],
  ['apiAudience', 'api,urn:api', ['api', 'urn:api']],
  ['loginRateLimit', '0', 0],
  ['rateLimit', '100', 100],
  ['rateLimit', 'off', 0],
  ['loginRateLimit', 'OFF', 0],
  ['metadataMaxAge', '5s', 5],
  ['outbound', 'loopback', 'loopback'],
  ['apiClockSkew', '60', 60],
  ['apiTokenCheck', 'introspection', 'introspection'],
  ['recording', 'off', false],
  ['historySize', '100', 100],
  ['historyBytes', '1000000', 1_000_000],
  ['logLevel', 'silent', 'silent'],
  ['logFormat', 'json', 'json'],
];

describe('a setting', () => {
  it.each(values)('%s reads %j from flag and environment', async (name, text, value) => {
    const row = settingList.find(each => each.name === name);
    expect(await loadConfig({ env: { [row?.env ?? '']: text } })).toMatchObject({ [name]: value });
    expect(await loadConfig({ flags: { [row?.flag ?? '']: text } })).toMatchObject({ [name]: value });
  });

  it.each<[SettingName, string, RegExp, string?]>([
    ['port', 'abc', /a whole number from 0 to 65535/],
    ['port', '65536', /a whole number from 0 to 65535/],
    ['port', '-1', /a whole number/],
    ['port', '80.5', /a whole number/],
    ['host', 'http://localhost', /without scheme, port and brackets/],
    ['host', 'localhost:9000', /without scheme, port and brackets/],
    ['host', '[::1]', /without scheme, port and brackets/],
    ['issuer', 'localhost:9000', /absolute http or https URL/],
    ['issuer', 'ftp://localhost', /absolute http or https URL/],
    ['issuer', 'http://localhost:9000//', /at most one slash at the end/],
    ['issuer', 'http://localhost:9000?x=1', /without query and fragment/],
    ['issuer', 'http://localhost:9000#x', /without query and fragment/],
    ['issuer', 'http://u:p@localhost:9000', /without user name and password/],
    ['label', ' ', /text that is not empty/],
    ['signingAlg', 'RS255', /RS256, RS384/, 'RS256'],
    ['signingAlg', 'none', /RS256, RS384/],
    ['signingAlg', 'HS256', /RS256, RS384/, 'RS256'],
    ['scopeClaim', 'arary', /string or array/, 'array'],
    ['codeLifetime', '0', /seconds from 1 to 31536000/],
    ['codeLifetime', '5 minutes', /such as 90, 90s, 5m/],
    ['codeLifetime', '1.5', /seconds from 1/],
    ['accessTokenLifetime', '366d', /seconds from 1 to 31536000/],
    ['apiTokenCheck', 'introspect', /local or introspection/, 'introspection'],
    ['loginMode', 'pasword', /picker or password/, 'password'],
    ['dashboard', 'maybe', /on, readonly or off/],
    ['requirePkce', '2', /on or off/],
    ['corsOrigins', 'http://localhost:3000/', /without a path: http:\/\/localhost:3000/],
    ['corsOrigins', '*,http://localhost', /an origin such as/],
    ['corsOrigins', 'localhost:3000', /an origin such as/],
    ['corsOrigins', 'com.example.app:/callback', /an origin such as/],
    ['corsOrigins', 'capacitor://localhost/', /an origin such as/],
    ['allowedHosts', 'https://x', /without scheme/],
    ['loginRateLimit', 'many', /a whole number/],
    ['historySize', '99', /from 100 to 100000/],
    ['historySize', '100001', /from 100 to 100000/],
    ['logLevel', 'warning', /silent, error, warn, info or debug/, 'warn'],
    ['logFormat', 'text', /auto, pretty or json/],
  ])('%s refuses %j', async (name, text, expected, nearest) => {
    const row = settingList.find(each => each.name === name);
    const problems = await problemsOf({ env: { [row?.env ?? '']: text } });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.source).toMatch(`environment ${row?.env}`);
    expect(problems[0]?.expected).toMatch(expected);
    expect(problems[0]?.nearest).toBe(nearest);
  });

  it('CONTROL_TOKEN is not blank', async () => {
    const problems = await problemsOf({ env: { CONTROL_TOKEN: '  ' } });
    expect(problems).toEqual([expect.objectContaining({ expected: expect.stringContaining('not only spaces') })]);
  });

  it('REPORT_DIR where no folder can be made is refused', async () => {
    const problems = await problemsOf({ env: { REPORT_DIR: '/proc/nope/deeper' } });
    expect(problems).toEqual([expect.objectContaining({ source: 'environment REPORT_DIR' })]);
  });

  it('is the default where the variable is empty', async () => {
    expect(await loadConfig({ env: { PORT: '', ISSUER: '' } })).toMatchObject({ port: 9000 });
  });

  it('names the item of a list that is wrong', async () => {
    const problems = await problemsOf({ env: { CORS_ORIGINS: 'http://a.example,b.example' } });
    expect(problems).toMatchObject([{ source: 'environment CORS_ORIGINS[1]', value: '"b.example"' }]);
  });

  it('takes a list from a flag that is given more than once', async () => {
    expect(await loadConfig({ flags: { 'api-audience': ['a', 'b,c'] } })).toMatchObject({
      apiAudience: ['a', 'b', 'c'],
    });
  });

  it('that is no list is given once', async () => {
    const problems = await problemsOf({ flags: { port: ['1', '2'] } });
    expect(problems).toEqual([{ source: 'flag --port', expected: 'one value' }]);
  });

  it('of two states is on where the flag has no value', async () => {
    expect(await loadConfig({ flags: { 'require-pkce': '' } })).toMatchObject({
      clients: [{}, { require_pkce: true }],
    });
  });

  it('hides the password in a URL', async () => {
    const problems = await problemsOf({ env: { ISSUER: 'http://user:hunter2@localhost' } });
    expect(problems[0]?.value).toBe('"http://***@localhost"');
  });
});
