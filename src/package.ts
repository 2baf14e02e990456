import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

export const version: string = packageJson.version;

/** `templates/` stands beside `src/` and, in the published package and the image, beside the bundle's `dist/`. */
export const templatesFolder = join(import.meta.dirname, '..', 'templates');
