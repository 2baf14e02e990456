import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

export const version: string = packageJson.version;

/** `templates/` is next to `src/`, and next to `dist/` in the published package and the image. */
export const templatesFolder = join(import.meta.dirname, '..', 'templates');
