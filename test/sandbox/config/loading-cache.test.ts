import { chmodSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cacheFolder } from '../../../src/sandbox/config/loading-cache.ts';
import { newFolder } from '../../support/new-folder.ts';

it('is a folder that is created if missing, and used if this user owns it', () => {
  const parent = newFolder();
  const made = cacheFolder(parent);
  expect(made).toBe(join(parent, readdirSync(parent)[0] ?? ''));
  expect(cacheFolder(parent)).toBe(made);
});

it.skipIf(process.platform === 'win32')('is not a folder that others can write into: code is loaded from it', () => {
  const parent = newFolder();
  chmodSync(cacheFolder(parent) ?? '', 0o777);
  expect(cacheFolder(parent)).toBeUndefined();
});

it.skipIf(process.platform === 'win32')('is not a link', () => {
  const [parent, elsewhere] = [newFolder(), newFolder()];
  const name = readdirSync(join(cacheFolder(elsewhere) ?? '', '..'))[0] ?? '';
  symlinkSync(join(elsewhere, name), join(parent, name));
  expect(cacheFolder(parent)).toBeUndefined();
});

it('is absent if the folder cannot be created', () => {
  const parent = newFolder({ file: '' });
  expect(cacheFolder(join(parent, 'file'))).toBeUndefined();
});
