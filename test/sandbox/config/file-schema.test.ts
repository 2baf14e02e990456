import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import builtIn from '../../../clients.config.ts';
import { fileSchema } from '../../../src/sandbox/config/file-schema.ts';
import { loadConfig } from '../../support/load-config.ts';
import { settingList } from '../../support/tables.ts';
import { shop, withFile } from './support.ts';

// another implementation than the one that checks a start
const validate = new Ajv2020({ allErrors: true, strictTypes: false }).compile(
  JSON.parse(JSON.stringify(fileSchema(settingList))),
);

function problemsOf(content: unknown): string[] {
  validate(JSON.parse(JSON.stringify(content)));
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

describe('the JSON Schema of a configuration file', () => {
  it('lets in the built-in configuration', () => {
    expect(problemsOf(builtIn)).toEqual([]);
  });

  it('describes each setting that a file may set, in the words of the help', () => {
    const { properties } = fileSchema(settingList);
    for (const { name, help } of settingList.filter(row => row.inFile))
      expect(properties?.[name], name).toMatchObject({ description: help });
    expect(properties).not.toHaveProperty('sensorClientSecret');
  });

  it('lets in the default of each setting that a file can write', () => {
    const written = settingList.filter(({ inFile, default: value }) => inFile && value !== undefined && value !== '');
    const defaults = Object.fromEntries(
      written.filter(row => !Array.isArray(row.default)).map(({ name, default: value }) => [name, value]),
    );
    expect(problemsOf(defaults)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['an unknown member', { prot: 1 }, ' additionalProperties'],
    ['a number that is too large', { port: 70_000 }, '/port maximum'],
    ['an unknown name', { signingAlg: 'none' }, '/signingAlg enum'],
    ['a client without client_id', { clients: [{}] }, '/clients/0 required'],
    ['an unknown member of a client', { clients: [{ ...shop, redirect_uri: 'x' }] }, '/clients/0 additionalProperties'],
    ['a setting of the whole sandbox', { issuers: { a: { port: 1 } } }, '/issuers/a additionalProperties'],
  ])('refuses %s, as a start does', async (_what, content, problem) => {
    expect(problemsOf(content)).toContain(problem);
    await expect(loadConfig(withFile(content))).rejects.toThrow(/The configuration has/);
  });

  it('accepts a configuration that a start accepts', async () => {
    const content = {
      $schema: './node_modules/grantbox/dist/clients.config.schema.json',
      clients: [{ ...shop, access_token_lifetime: '5m' }],
      scopes: { 'bikes:read': 'see bikes' },
      features: { device: false },
      corsOrigins: '*',
      codeLifetime: '90s',
      issuers: { a: { clients: [shop], label: 'A' } },
    };
    expect(problemsOf(content)).toEqual([]);
    expect((await loadConfig(withFile(content))).codeLifetime).toBe(90);
  });

  it('is written into the package by the build', () => {
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
    expect(scripts.build).toContain('schema > dist/clients.config.schema.json');
  });
});
