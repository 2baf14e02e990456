import type { Environment } from '../config/setting-values.ts';
import { mostBytes } from './read-json.ts';

/** `${NAME}`, `${NAME,OTHER}` and `${NAME:default}`, also with `env.` before the name. The innermost of nested ones comes first. */
const placeholder = /\$\{((?:env\.)?[A-Za-z_][\w.-]*(?:,(?:env\.)?[\w.-]+)*)(?::((?:[^"\\{}]|\\.)*))?\}/g;
const mostRounds = 5;

/**
 * Replaces placeholders in the text of a JSON file by variables, as Keycloak does at an import. One without a variable and a
 * default stays: Keycloak has texts of its own in this form. Undefined if the text would become larger than a file may be.
 */
export function withVariables(text: string, env: Environment): string | undefined {
  let made = text;
  for (let round = 0; round < mostRounds && made.includes('${'); round += 1) {
    const next = replacedOnce(made, env);
    if (next === undefined || next === made) return next;
    made = next;
  }
  return made;
}

function replacedOnce(text: string, env: Environment): string | undefined {
  let room = mostBytes;
  const replaced = text.replace(placeholder, (all, names: string, usual: string | undefined) => {
    if (room < 0) return all;
    const found = names.split(',').map(name => env[name.replace(/^env\./, '')]);
    const value = found.find(each => each !== undefined);
    const put = value === undefined ? (usual ?? all) : JSON.stringify(value).slice(1, -1);
    room -= put.length;
    return put;
  });
  return room < 0 ? undefined : replaced;
}
