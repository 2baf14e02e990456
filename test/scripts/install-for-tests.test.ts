import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { installForTests } from '../../scripts/install-for-tests.mjs';
import { newFolder } from '../support/new-folder.ts';

let folder: string;
let told: string[];
beforeEach(() => {
  folder = newFolder();
  told = [];
  writeFileSync(join(folder, 'package-lock.json'), '{"version":1}');
});

const install = (run = (where: string) => void mkdirSync(join(where, 'node_modules'), { recursive: true })) =>
  installForTests(folder, { run, say: line => void told.push(line) });

it('installs once, and says so in one line', () => {
  expect([install(), install()]).toEqual([true, false]);
  expect(told).toEqual([`Installing the packages of these tests, once: npm ci --prefix ${folder}`]);
});

it('installs again when the lock file has changed', () => {
  install();
  writeFileSync(join(folder, 'package-lock.json'), '{"version":2}');
  expect(install()).toBe(true);
});

it('tries again after an installation that failed', () => {
  const fail = () => {
    throw new Error('npm failed');
  };
  expect(() => install(fail)).toThrow('npm failed');
  expect(install()).toBe(true);
});
