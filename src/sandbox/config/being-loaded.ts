/** Absolute paths of files whose code runs right now. */
const running = new Set<string>();

/** Runs the code of a file, and knows meanwhile that a sudden end of the process is its doing. */
export async function whileLoading<T>(path: string, load: () => Promise<T>): Promise<T> {
  running.add(path);
  try {
    return await load();
  } finally {
    running.delete(path);
  }
}

/** What to tell if the process ends now; undefined if no file is being loaded. */
export function endedByFile(): string | undefined {
  const [path] = running;
  return path === undefined
    ? undefined
    : `${path} ended the process while it was loaded: remove \`process.exit()\` from it and from the files that it imports`;
}
