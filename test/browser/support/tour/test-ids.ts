import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** What the end of such an id stands for: it is made of data. */
const madeOfData: readonly (readonly [RegExp, string])[] = [
  [/^login-user-.*/, 'login-user-<sub>'],
  [/^consent-scope-.*/, 'consent-scope-<scope>'],
  [/^lesson-(again|answer|hint|solution|state)-.*/, 'lesson-$1-<task>'],
  [/^lesson-box-.*/, 'lesson-box-<name>'],
  [/^lesson-send-.*/, 'lesson-send-<command>'],
  [/^lab-(attack|steps)-.*/, 'lab-$1-<round>'],
  [/^lab-step-.*/, 'lab-step-<step>'],
  [/^lab-act-.*/, 'lab-act-<act>'],
  [/^shell-(hand|held|lesson|message|shown)(-button|-link)?$/, 'shell-<notice>'],
  [/^lab-prediction-.*/, 'lab-prediction-<task>'],
  [/^playground-field-.*/, 'playground-field-<name>'],
  [/-\d+$/, '-<number>'],
];

export function testIdsOf(page: Page): Promise<string[]> {
  return page
    .locator('[data-testid]')
    .evaluateAll(elements => elements.map(element => element.getAttribute('data-testid') ?? ''));
}

/** Those that stand in a template as they are, whether or not a test has seen them. */
export async function templateTestIds(): Promise<string[]> {
  const folder = join(root, 'templates');
  const names = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.ejs'));
  const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')));
  return texts.flatMap(text => [...text.matchAll(/data-testid="([\w-]+)"/g)].map(([, id = '']) => id));
}

/** Each once, in order, without the data in it. */
export function contractOf(ids: readonly string[]): string[] {
  const names = ids.map(id => madeOfData.reduce((name, [pattern, words]) => name.replace(pattern, words), id));
  return [...new Set(names)].sort();
}

/** The ids that were promised. */
export async function contract(): Promise<string[]> {
  return (await readFile(join(root, 'test/browser/test-ids.txt'), 'utf8')).split('\n').filter(line => line !== '');
}
