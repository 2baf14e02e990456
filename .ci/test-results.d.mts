interface TestFile {
  readonly name: string;
}

/** The files of all results in the folder. */
export function readResults(folder: string): Promise<TestFile[]>;
export function slowestLines(files: readonly TestFile[]): string[];
export function failedLines(files: readonly TestFile[]): string[];
export function flakyLines(files: readonly TestFile[]): string[];
