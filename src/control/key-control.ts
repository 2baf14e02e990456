import type { ChangedBy } from '../events/change.ts';
import type { Control } from './control.ts';
import { type ControlParts, tell } from './control-parts.ts';

/** Operations on signing keys. */
export function keyControl(parts: ControlParts): Pick<Control, 'keys' | 'rotateKeys' | 'unpublishKeys'> {
  const { server } = parts;
  const told = (members: readonly string[], by: ChangedBy) => {
    const subject = server.keys.algs.join(' ');
    tell(parts, { type: 'configuration.changed', what: 'keys', subject, change: 'changed', members, by });
  };
  return {
    async keys() {
      const now = server.clock();
      const keys = await server.keys.list();
      return keys.map(({ publishedUntil, ...key }) => ({
        ...key,
        isPublished: publishedUntil > now,
        ...(Number.isFinite(publishedUntil) ? { publishedUntil } : {}),
      }));
    },
    async rotateKeys({ by = 'library', ...options } = {}) {
      await parts.rotateKeys(options);
      told(options.unpublish ? ['kid', 'published'] : ['kid'], by);
    },
    async unpublishKeys(by) {
      server.keys.unpublish();
      told(['published'], by);
    },
  };
}
