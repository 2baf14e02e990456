import type { Flags } from '../../sandbox/config/setting-values.ts';
import type { Given, ProgramModules } from './command.ts';

/** The program whose arguments are read. */
export interface Program {
  readonly version: string;
  readonly modules: ProgramModules;
}

/** Result of reading the command line. `exit`: print `text` (to stderr unless `code` is 0) and leave with `code`. */
export type CommandLine =
  | { readonly command: 'start'; readonly flags: Flags }
  | { readonly command: 'healthcheck'; readonly url?: string }
  | { readonly command: 'run'; readonly name: string; readonly given: Given }
  | { readonly command: 'exit'; readonly code: 0 | 1; readonly text: string };

/** Prints one sentence and exits with code 1. */
export function refuse(text: string): CommandLine {
  return { command: 'exit', code: 1, text: `grantbox: ${text}` };
}
