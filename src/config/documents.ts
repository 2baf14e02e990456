import type { Path } from './problem.ts';

/** An object with configuration in it, and what to call it in a problem. */
export interface Document {
  /** `clients.config.ts`, `createSandbox`. */
  readonly name: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** Given in code: ranks above the environment. */
  readonly isOverride?: true;
  /** What relative paths in it are relative to. */
  readonly folder?: string | undefined;
}

/** An entry of a list or of a record, and where it was found. */
export interface Located {
  readonly document: string;
  readonly path: Path;
  readonly raw: unknown;
  /** Members that something stronger has replaced, with the source of each. */
  readonly replaced?: Readonly<Record<string, string>>;
}

/** An entry of a record. */
export interface Named extends Located {
  readonly name: string;
}

/** An object as written with braces: no list, no Date, no Map. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
