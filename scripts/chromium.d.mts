/** The path of the browser of the browser tests. */
export function findChromium(): Promise<string | undefined>;

/** The same; installed where it is missing. */
export function provideChromium(options?: {
  readonly find?: () => Promise<string | undefined>;
  readonly run?: (command: string, ...args: string[]) => void;
  readonly say?: (line: string) => void;
  readonly wantsShell?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<string | undefined>;
