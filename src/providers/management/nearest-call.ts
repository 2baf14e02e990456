import { editDistance } from '../../base/text/nearest.ts';
import type { CallAt } from '../../server/http/path-table.ts';

/**
 * The call that a caller of an unknown one may have meant: another method of the path, a path with a typo, or an action on the same
 * thing. Undefined where there is none, because the name of an unrelated call leads astray.
 */
export function nearestCall(calls: readonly CallAt[], method: string, path: string): string | undefined {
  const sent = path.split('/');
  const related = calls.filter(call => isRelated(call.path.split('/'), sent));
  const alike = (call: CallAt) =>
    Number(call.method === method) + sharedLetters(call.path, path) / (call.path.length + path.length);
  const [best] = related.toSorted((a, b) => alike(b) - alike(a));
  return best && `${best.method} ${best.path}`;
}

/** At most one step differs, and that one little. */
function isRelated(steps: readonly string[], sent: readonly string[]): boolean {
  if (steps.length !== sent.length) return false;
  const others = steps.flatMap((step, index) => {
    const typed = sent[index] ?? '';
    return step === typed || step.startsWith('{') ? [] : [[step, typed] as const];
  });
  return others.length < 2 && others.every(([step, typed]) => isTypo(step, typed) || isOfOneThing(step, typed));
}

function isTypo(step: string, typed: string): boolean {
  return typed.length < 100 && editDistance(step.toLowerCase(), typed.toLowerCase()) <= Math.min(2, typed.length / 4);
}

function isOfOneThing(step: string, typed: string): boolean {
  const thing = thingOf(step);
  return thing !== '' && thing === thingOf(typed);
}

/** `User` of `ListUsers` and of `AdminGetUser`. A name without capital letters says no thing apart from its verb. */
function thingOf(action: string): string {
  const [, ...words] = action.replace(/^Admin/, '').match(/[A-Z]+(?![a-z])|[A-Z][a-z]+/g) ?? [];
  return words.join('').replace(/s$/, '');
}

/** The number of letters with which both begin. */
function sharedLetters(a: string, b: string): number {
  const end = [...a].findIndex((letter, at) => letter !== b[at]);
  return end < 0 ? a.length : end;
}
