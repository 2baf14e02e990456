import { statSync } from 'node:fs';

/**
 * A mark of a file that stays the same until the file changes; empty for a file that does not exist or cannot be read.
 */
export function fileMark(path: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(path, { bigint: true });
    return `${ino} ${mtimeNs} ${size}`;
  } catch {
    return '';
  }
}
