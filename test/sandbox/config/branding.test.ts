import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { largestLogo } from '../../../src/sandbox/config/branding.ts';
import { ConfigError } from '../../../src/sandbox/config/load-config.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';

const folder = newFolder();
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
const svgUri = `data:image/svg+xml;base64,${btoa(svg)}`;
writeFileSync(join(folder, 'logo.svg'), svg);
writeFileSync(join(folder, 'large.svg'), svg + ' '.repeat(largestLogo));
writeFileSync(join(folder, 'text.png'), 'no image');

const client = { client_id: 'shop', redirect_uris: ['http://localhost:3000/callback'] };
/** The configuration of a file in the folder of the logos. */
async function load(content: object) {
  const path = join(folder, 'clients.config.json');
  writeFileSync(path, JSON.stringify(content));
  return loadConfig({ flags: { config: path }, env: {}, cwd: tmpdir() });
}
async function problemsOf(content: object): Promise<readonly string[]> {
  const error = await load(content).catch(thrown => thrown);
  if (!(error instanceof ConfigError)) throw new Error('the configuration was taken');
  return error.problems.map(
    ({ source, expected }) => `${source.replace(/^.*clients\.config\.json: /, '')}: ${expected}`,
  );
}

describe('branding in a configuration file', () => {
  it('has the image of a file that lies beside the configuration', async () => {
    const config = await load({ clients: [{ ...client, branding: { logo: 'logo.svg', color: '#0f766e' } }] });
    expect(config.clients[0]?.branding).toEqual({ logo: svgUri, color: '#0f766e' });
  });

  it('is that of the sandbox and of further issuers, too', async () => {
    const branding = { name: 'Shop', logo: './logo.svg' };
    const config = await load({ branding, issuers: { other: { branding: { logo: 'logo.svg' } } } });
    expect(config.branding).toEqual({ name: 'Shop', logo: svgUri });
    expect(config.issuers[0]?.config.branding).toEqual({ logo: svgUri });
  });

  it.each([
    ['https://shop.example/logo.png', 'is never fetched'],
    ['HTTP://localhost/logo.png', 'is never fetched'],
    ['missing.png', 'a file that exists'],
    ['logo.gif', 'a file ending in .png, .jpg, .jpeg, .webp, .svg'],
    ['large.svg', 'at most 100 kB'],
    ['text.png', 'a file with a image/png image'],
    ['data:text/html,<script>', 'a PNG, JPEG, WebP or SVG image'],
  ])('does not take the logo %s', async (logo, expected) => {
    const found = await problemsOf({ clients: [{ ...client, branding: { logo } }] });
    expect(found).toEqual([expect.stringContaining(expected)]);
    expect(found[0]).toContain('clients[0].branding.logo');
    expect(await problemsOf({ branding: { logo } })).toEqual([expect.stringContaining(expected)]);
  });

  it.each(['red', '#12', '#0f766e;}', 'url(x)'])('does not take the color %s', async color => {
    const expected = 'a hexadecimal color such as #0f766e';
    expect(await problemsOf({ clients: [{ ...client, branding: { color } }] })).toEqual([
      `clients[0].branding.color: ${expected}`,
    ]);
    expect(await problemsOf({ branding: { color } })).toEqual([`branding: color: ${expected}`]);
  });

  it('does not take a name that turns the words around it, nor another member', async () => {
    expect(await problemsOf({ branding: { name: 'a\u202eb', colour: '#000' } })).toEqual([
      expect.stringContaining('branding: name: at most 200 characters'),
      'branding: colour: one of name, logo and color',
    ]);
  });
});
