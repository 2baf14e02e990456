import type { KeyObject } from 'node:crypto';
import type { ChangedBy } from '../../base/events/change.ts';
import type { PublicJwk } from '../../protocol/tokens/signing-key.ts';
import { type ControlParts, tell } from './control-parts.ts';

/** A signing key as everybody may see it. */
export interface PublicKeyFacts {
  readonly kid: string;
  readonly alg: string;
  readonly publicKey: KeyObject;
  readonly publicJwk: PublicJwk;
  readonly isSigning: boolean;
  readonly isPublished: boolean;
  /** Unix seconds; absent if no end is planned. */
  readonly publishedUntil?: number;
}

/** A rotation of keys, and who asked for it. */
export interface KeyRotation {
  readonly unpublish?: boolean;
  readonly by?: ChangedBy;
}

/** Operations on signing keys. */
export function keyControl(parts: ControlParts) {
  const { server } = parts;
  const told = (members: readonly string[], by: ChangedBy) => {
    const subject = server.keys.algs.join(' ');
    tell(parts, { type: 'configuration.changed', what: 'keys', subject, change: 'changed', members, by });
  };
  return {
    /** Signing keys first, then replaced ones, the latest first. Only public parts. */
    async keys(): Promise<readonly PublicKeyFacts[]> {
      const now = server.clock();
      const keys = await server.keys.list();
      return keys.map(({ publishedUntil, ...key }) => ({
        ...key,
        isPublished: publishedUntil > now,
        ...(Number.isFinite(publishedUntil) ? { publishedUntil } : {}),
      }));
    },
    /** `unpublish`: what was signed before cannot be verified by those who read the keys again. */
    async rotateKeys({ by = 'library', ...options }: KeyRotation = {}): Promise<void> {
      await parts.rotateKeys(options);
      told(options.unpublish ? ['kid', 'published'] : ['kid'], by);
    },
    /** Takes every key that does not sign out of the JWK Set. */
    async unpublishKeys(by: ChangedBy): Promise<void> {
      server.keys.unpublish();
      told(['published'], by);
    },
  };
}
