import { existsSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

export const version: string = packageJson.version;

/** `templates/` is next to `src/`, and next to `dist/` in the published package and the image. */
export const templatesFolder = join(import.meta.dirname, '..', 'templates');

/** The process and the library refuse to start with it. */
class UnbuiltError extends Error {
  override readonly name = 'UnbuiltError';
}

/**
 * The sources run without a build, as unit tests do; what is built does not, because its pages would have no styles.
 * @throws UnbuiltError
 */
export function requireStyles(): void {
  const styles = join(templatesFolder, 'assets', 'grantbox.css');
  if (!existsSync(styles))
    throw new UnbuiltError(`${styles} is missing, so no page would have styles: run npm run build`);
}
