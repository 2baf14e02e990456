import { fileMark } from '../../config/file-mark.ts';

/**
 * Milliseconds between two looks at a file. Notices of the system would not come through a bind mount of Docker Desktop, and end
 * with the file that an editor, or a ConfigMap of Kubernetes, puts another in the place of.
 */
const interval = 250;

/**
 * Calls `changed` once the file differs from `seen` and has not changed between two looks, so that a half-written file
 * is not read. The file need not exist. Returns a function that stops the watch.
 */
export function watchFile(path: string, seen: string, changed: () => void): () => void {
  let told = seen;
  let last = seen;
  const timer = setInterval(() => {
    const now = fileMark(path);
    const isNew = now !== told && now === last;
    last = now;
    if (!isNew) return;
    told = now;
    changed();
  }, interval).unref();
  return () => clearInterval(timer);
}
