import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuthorizationServer } from '../../../src/protocol/authorization-server.ts';
import { knownMembers } from '../../../src/protocol/clients/client-metadata.ts';
import { featureNames } from '../../../src/protocol/feature.ts';
import { grants } from '../../../src/protocol/grants/index.ts';
import { authorizationParameters } from '../../../src/protocol/requests/authorization-request.ts';
import { dictionaries, parameterMeaning } from '../../../src/record/flows/parameters.ts';
import { referenceForm, referenceUrl } from '../../../src/server/http/reference.ts';
import { createTestServer } from '../../support/server.ts';

const entries = Object.entries(dictionaries).flatMap(([place, dictionary]) =>
  Object.entries(dictionary).map(([name, meaning]) => ({ place, name, ...meaning })),
);
const everything: Pick<AuthorizationServer, 'features'> = { features: new Set(featureNames) };

/** Whether a parameter of a request has an entry, for whatever endpoint. */
function isKnown(name: string): boolean {
  const own = [dictionaries.request, dictionaries.own].flatMap(dictionary => Object.keys(dictionary ?? {}));
  return own.some(key => key === name || key.endsWith(` ${name}`));
}

/** Names that the parsers ask a request for, as they stand in the sources. */
function namesInSources(folder: string): string[] {
  const root = join(import.meta.dirname, '../../../src', folder);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  const asked = /\b(?:parameter|requiredParameter|lenientParameter|optional|sent)\((?:[\w.]+, )?'([a-z_]+)'\)/g;
  return files.flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(asked)].map(([, name = '']) => name),
  );
}

describe('the dictionary of parameters', () => {
  it.each(entries)('refers for $name ($place) to a section somebody can read', ({ place, reference }) => {
    if (place === 'own') return expect(reference).toBe('');
    expect(reference).toMatch(referenceForm);
    expect(referenceUrl(reference)).toMatch(/^https:\/\//);
  });

  it.each(entries)('says of $name ($place) in plain words what it is', ({ words }) => {
    expect(words).toMatch(/^[A-Z][^\n]{8,160}[.]$|^[a-z][^\n]{8,160}[.]$/);
    expect(words).not.toMatch(/[<>{}]|\p{Emoji_Presentation}|something went wrong/u);
  });

  it('has every parameter of every grant', () => {
    const names = [...grants.values()].flatMap(({ parameters }) => parameters);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter(name => !isKnown(name))).toEqual([]);
  });

  it('has every parameter of an authorization request', () => {
    const names = [...authorizationParameters(everything)];
    expect(names).toContain('code_challenge');
    expect(names.filter(name => !isKnown(name))).toEqual([]);
  });

  it('has every member of a registration', () => {
    const { server } = createTestServer();
    const names = knownMembers(server, 'openid');
    expect(names).toContain('redirect_uris');
    expect(names.filter(name => parameterMeaning(name, 'request', 'registration') === undefined)).toEqual([]);
  });

  it('has every parameter that any parser asks for', () => {
    const names = new Set([...namesInSources('protocol'), ...namesInSources('server/http')]);
    expect(names.size).toBeGreaterThan(40);
    expect([...names].filter(name => !isKnown(name))).toEqual([]);
  });
});

describe('the meaning of a parameter', () => {
  it('depends on where it stands', () => {
    expect(parameterMeaning('code', 'request', 'token')).not.toEqual(parameterMeaning('code', 'response', 'authorize'));
    expect(parameterMeaning('redirect_uri', 'request', 'token')?.reference).toBe('RFC 6749 §4.1.3');
    expect(parameterMeaning('redirect_uri', 'request', 'authorize')?.reference).toBe('RFC 6749 §4.1.1');
  });

  it('is that of the language-less member for a member in a language', () => {
    expect(parameterMeaning('client_name#de', 'request', 'registration')?.reference).toBe('RFC 7591 §2');
  });

  it('is none for what nobody has defined, whatever its name', () => {
    for (const name of ['colour', 'constructor', '__proto__', 'toString']) {
      for (const endpoint of ['token', 'registration', 'login', 'constructor']) {
        expect(parameterMeaning(name, 'request', endpoint)).toBeUndefined();
        expect(parameterMeaning(name, 'response', endpoint)).toBeUndefined();
      }
    }
  });

  it('is that of a claim for what UserInfo says, and of a box for what is ticked', () => {
    expect(parameterMeaning('nickname', 'response', 'userinfo')?.reference).toBe('OIDC Core §5.3.2');
    expect(parameterMeaning('scope:email', 'request', 'consent')?.words).toBe('The user ticked this scope.');
    expect(parameterMeaning('scope:email', 'request', 'token')).toBeUndefined();
  });
});
