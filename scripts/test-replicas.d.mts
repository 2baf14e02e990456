/** The engines that the tests can use. */
export const engines: readonly string[];

/** The path of a program. */
export function findProgram(name: string, env?: Readonly<Record<string, string | undefined>>): string | undefined;

/** The engines that are there; what is missing is installed where that is possible. */
export function providePrograms(options?: {
  readonly find?: (name: string) => string | undefined;
  readonly run?: (...command: string[]) => void;
  readonly say?: (line: string) => void;
  readonly hasPackages?: boolean;
  readonly isAvailable?: (name: string) => boolean;
}): string[];

/** The runs of Vitest, each with the engine that it uses. */
export function runsFor(
  found: readonly string[],
  isFull: boolean,
): readonly { readonly engine: string; readonly args: readonly string[] }[];

/** The arguments that have Vitest leave the results of a run in a folder; none without one. */
export function resultsArgs(folder: string | undefined, run: number): readonly string[];
