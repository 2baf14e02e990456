import { defined } from '../../base/defined.ts';

/** One problem of the configuration, and its place. */
export interface ConfigProblem {
  /** `flag --port`, `environment PORT`, `clients.config.ts: clients[1].redirect_uris[0]`, `clients.config.yaml:3:7: port`. */
  readonly source: string;
  /** The wrong value as it may be shown; secrets are `***`. Absent where something is missing. */
  readonly value?: string;
  readonly expected: string;
  /** The known name that is most similar to the one written. */
  readonly nearest?: string;
}

/** All problems of the configuration at once. `message` is fit to print. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super([`The configuration has ${count}:`, ...problems.map(problem => `  - ${formatProblem(problem)}`)].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** `clients.config.ts: port: found "x", expected a whole number`. */
export function formatProblem({ source, value, expected, nearest }: ConfigProblem): string {
  const found = value === undefined ? '' : `found ${value}, `;
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  return `${source}: ${found}expected ${expected}${hint}`;
}

/** Position inside a document: `['clients', 1, 'scope']`. */
export type Path = readonly (string | number)[];

/** A problem inside a document that has no name yet. */
export interface Finding {
  readonly path: Path;
  /** As read; `toProblem` removes secrets and shortens it. */
  readonly value?: unknown;
  readonly expected: string;
  readonly nearest?: string | undefined;
}

/** `document` is the source without a path, for example `clients.config.ts` or `environment CLIENTS`. */
export function toProblem(document: string, { path, value, expected, nearest }: Finding): ConfigProblem {
  return {
    source: path.length === 0 ? document : `${document}: ${formatPath(path)}`,
    ...(value === undefined ? {} : { value: path.some(isSecretName) ? '***' : show(value) }),
    expected,
    ...defined({ nearest }),
  };
}

/** `clients[1].redirect_uris[0]`; names that are not identifiers are quoted. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** A value fit for a terminal: one short line, without passwords of URLs and without the contents of objects. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'string') return String(value);
  const text = value.replace(/\/\/[^/@\s]*@/g, '//***@');
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

/** True if values under this name are never shown. */
export function isSecretName(step: string | number): boolean {
  return typeof step === 'string' && /secret|password|private/i.test(step);
}
