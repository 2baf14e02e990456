import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

type Members = Readonly<Record<string, unknown>>;

interface Golden {
  readonly [part: string]: Readonly<Record<string, { readonly value: unknown; readonly source: string }>>;
}

/** How values that differ between runs are written. */
export interface Steady {
  /** The address of the sandbox, in whose place `http://localhost:9000` is written. */
  readonly url: string;
  /** Names of members whose values are random. */
  readonly random: readonly string[];
  /** Names of members that are times. Default: `iat`, `exp`, `nbf`, `auth_time`. */
  readonly times?: readonly string[];
}

/**
 * Expects the parts (metadata, tokens, answers) to be as in `test/providers/<name>.golden.json`, which has the source of each member.
 * `UPDATE_GOLDEN=1` writes the file; a new member has the source `unverified` until somebody writes a better one.
 */
export function expectGolden(name: string, parts: Readonly<Record<string, Members>>, steady: Steady): void {
  const file = join(import.meta.dirname, `../providers/${name}.golden.json`);
  const golden = readGolden(file);
  const found = Object.fromEntries(
    Object.entries(parts).map(([part, members]) => [part, withSources(steadied(members, steady), golden[part])]),
  );
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
  expect(found).toEqual(readGolden(file));
}

function readGolden(file: string): Golden {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Golden; // written by this file
  } catch {
    return {};
  }
}

function withSources(members: Members, golden: Golden[string] | undefined): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, { value, source: golden?.[name]?.source ?? 'unverified' }]),
  );
}

function steadied(members: Members, { url, random, times = ['iat', 'exp', 'nbf', 'auth_time'] }: Steady): Members {
  const text = JSON.stringify(members, (name, member: unknown) => {
    if (times.includes(name) && typeof member === 'number') return '(Unix seconds)';
    if (random.includes(name)) return '(differs)';
    return typeof member === 'string' && /^ey[\w-]+\./.test(member) ? '(JWT)' : member;
  });
  return JSON.parse(text.replaceAll(url, 'http://localhost:9000')) as Members;
}
