import { statSync } from 'node:fs';

/** The same for a file that nobody has touched; empty for one that is not there, or cannot be looked at. */
export function fileMark(path: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(path, { bigint: true });
    return `${ino} ${mtimeNs} ${size}`;
  } catch {
    return '';
  }
}
