import { isRecord, recordIn } from '../../base/text/record.ts';
import type { Environment } from '../../sandbox/config/setting-values.ts';
import { mostBytes } from './read-text.ts';

const name = '(?:env\\.)?[A-Za-z_][\\w.-]*';
/**
 * `${NAME}`, `${NAME,OTHER}`, `${NAME:default}` and `${NAME:-default}` of Keycloak and Compose, also with `env.` before the name;
 * `$(env:NAME:-default)` of keycloak-config-cli; `${{ NAME }}` of pipelines, also with `env.`, `vars.` or `secrets.`. The innermost
 * of nested ones comes first.
 */
const placeholder = new RegExp(
  [
    `\\$\\{(?<names>${name}(?:,(?:env\\.)?[\\w.-]+)*)(?::-?(?<usual>(?:[^"\\\\{}]|\\\\.)*))?\\}`,
    `\\$\\(env:(?<variable>[A-Za-z_]\\w*)(?::-?(?<other>(?:[^"\\\\()]|\\\\.)*))?\\)`,
    `\\$\\{\\{\\s*(?:env\\.|vars\\.|secrets\\.)?(?<inner>[A-Za-z_]\\w*)\\s*\\}\\}`,
  ].join('|'),
  'g',
);
const mostRounds = 5;

/** Whether a text has a placeholder of one of the known tools. */
export function hasPlaceholder(text: string): boolean {
  return /\$\{[^}]*\}|\$\([A-Za-z]+:[^)]*\)|@@\w+@@|##\w+##/.test(text);
}

/**
 * Replaces placeholders by variables, as Keycloak does at an import. One without a variable and a default stays: Keycloak has
 * texts of its own in this form. `quoted` writes a value into the text. Undefined if the text would become larger than a file
 * may be.
 */
export function withVariables(text: string, env: Environment, quoted = inJson): string | undefined {
  let made = text;
  for (let round = 0; round < mostRounds && /\$[{(]/.test(made); round += 1) {
    const next = replacedOnce(made, env, quoted);
    if (next === undefined || next === made) return next;
    made = next;
  }
  return made;
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function replacedOnce(text: string, env: Environment, quoted: (value: string) => string): string | undefined {
  let room = mostBytes;
  const replaced = text.replace(placeholder, (all, ...rest) => {
    if (room < 0) return all;
    const { names, variable, inner, usual, other }: Readonly<Record<string, string | undefined>> = rest.at(-1);
    const asked = (names ?? variable ?? inner ?? '').split(',').map(each => each.replace(/^env\./, ''));
    const value = asked.map(each => env[each]).find(each => each !== undefined);
    const put = value === undefined ? (usual ?? other ?? all) : quoted(value);
    room -= put.length;
    return put;
  });
  return room < 0 ? undefined : replaced;
}

/** The same in each text of a parsed file. Undefined if they would become too large. */
export function withVariablesInside(value: unknown, env: Environment): { readonly value: unknown } | undefined {
  let room = mostBytes;
  const made = inEach(value, text => {
    const put = room < 0 ? text : (withVariables(text, env, each => each) ?? text);
    room -= put.length;
    return put;
  });
  return room < 0 ? undefined : { value: made };
}

/** The depth of a parsed file is bounded, so that this recursion is. */
function inEach(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map(each => inEach(each, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inEach(each, change)]));
}

/** Stand for the marks in YAML, where `@` begins no text and `##` begins a comment. */
const standIns = { '@@': '\uE0A0', '##': '\uE0A1' } as const;

/**
 * Replaces the keywords of auth0-deploy-cli in the text of a file, before it is parsed, as that tool does: `@@KEY@@` by JSON, with
 * or without quotes around it, and `##KEY##` by the text itself. The values are those of AUTH0_KEYWORD_REPLACE_MAPPINGS, and all
 * variables. A keyword without a value stays, as a text.
 */
export function withKeywords(text: string, env: Environment, isJson: boolean): string {
  const mappings = { ...env, ...recordIn(env.AUTH0_KEYWORD_REPLACE_MAPPINGS ?? '') };
  const wordOf = (key: string): unknown => (Object.hasOwn(mappings, key) ? mappings[key] : undefined);
  const lists = text.replace(/(["']?)@@(\w+)@@\1/g, (all, quote: string, key: string, at: number) => {
    const value = wordOf(key);
    if (value !== undefined) return typeof value === 'string' ? listOr(value) : JSON.stringify(value);
    return kept(all, '@@', quote !== '' || !isJson || !isValue(text, at), isJson);
  });
  return lists.replace(/##(\w+)##/g, (all, key: string, at: number) => {
    // a comment is not a value
    if (!isJson && /(?:^|\n)\s*$/.test(lists.slice(Math.max(0, at - 200), at))) return all;
    const value = wordOf(key);
    if (value !== undefined) return String(value);
    return kept(all, '##', !isJson || !isValue(lists, at), isJson);
  });
}

/** A variable is a text, in which a list is JSON. */
function listOr(value: string): string {
  return /^\s*[[{]/.test(value) && recordIn(`{"a":${value}}`) !== undefined ? value : JSON.stringify(value);
}

/** Whether a value of JSON begins there. */
function isValue(text: string, at: number): boolean {
  return /[:[,]\s*$/.test(text.slice(Math.max(0, at - 200), at));
}

function kept(all: string, mark: keyof typeof standIns, isInText: boolean, isJson: boolean): string {
  if (isJson) return isInText ? all : `"${all}"`;
  return all.replaceAll(mark, standIns[mark]);
}

/** The parsed file with its keywords as they were written. */
export function withKeywordMarks(value: unknown): unknown {
  const marks = Object.entries(standIns);
  return inEach(value, text => marks.reduce((made, [mark, standIn]) => made.replaceAll(standIn, mark), text));
}
