/**
 * Milliseconds between two looks at a file. File system notices do not pass a bind mount of Docker Desktop, and stop
 * when an editor or a ConfigMap of Kubernetes replaces the file.
 */
const interval = 250;

/**
 * Calls `changed` once a look at a file differs from `seen` and equals the look before, so that a half-written file is not read. The
 * file need not exist. Returns a function that stops the watch.
 */
export function watchFile(look: () => string, seen: string, changed: () => void): () => void {
  let told = seen;
  let last = seen;
  const timer = setInterval(() => {
    const now = look();
    const isNew = now !== told && now === last;
    last = now;
    if (!isNew) return;
    told = now;
    changed();
  }, interval).unref();
  return () => clearInterval(timer);
}
