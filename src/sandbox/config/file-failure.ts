/** Why a file cannot be read or written, in words and by its code. `error` is what Node's `fs` threw. */
export function fileFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = words[code];
  return known === undefined ? code || String(error) : `${known}: ${code}`;
}

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'the path is a folder',
  ENOENT: 'the file or its folder does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'its parent folder is a file',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
};
