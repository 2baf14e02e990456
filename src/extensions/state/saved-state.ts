import * as v from 'valibot';
import { isRecord } from '../../base/text/record.ts';
import { canSign } from '../../protocol/tokens/signing-key.ts';
import type { Finding } from '../../sandbox/config/problem.ts';
import type { OutputOf } from '../../sandbox/control/described.ts';
import { keptEntries } from './kept-entries.ts';

/** The version of the form below. A newer Grantbox reads older versions, never the other way round. */
export const stateVersion = 1;

/** JSON reads `1e999` as infinity, and writes that as null. */
const moment = v.pipe(v.number(), v.finite());
const record = v.record(v.string(), v.unknown());
const texts = v.array(v.string());

const saved = v.object({
  /** Entries as in `clients.config.ts`, with the members that only the running sandbox knows. */
  changed: v.array(
    v.looseObject({
      entry: record,
      origin: v.exactOptional(v.string()),
      unscoped_claims: v.exactOptional(texts),
      isVisitor: v.exactOptional(v.literal(true)),
    }),
  ),
  /** Ids of entries that the configuration has. */
  deleted: texts,
});

const key = v.object({
  signs: v.exactOptional(v.string()),
  unused: v.exactOptional(v.literal(true)),
  jwk: v.pipe(
    record,
    v.check(jwk => canSign(jwk), 'a private key as JWK, with which a signature can be made and verified'),
  ),
  publishedUntil: v.exactOptional(moment),
});

/** The state of one issuer that its configuration does not have. */
const issuerSchema = v.object({
  keys: v.array(key),
  pairwiseSalt: v.string(),
  clients: saved,
  users: saved,
  scopes: saved,
  collections: saved,
  /** Rules for claims; absent if they are those of the configuration. */
  tokenClaims: v.exactOptional(v.array(v.unknown())),
  /** Kind, id, value, and the Unix seconds of its end. */
  store: v.array(
    v.pipe(
      v.tuple([v.string(), v.string(), v.unknown(), moment]),
      v.check(([kind, , value]) => isKept(kind, value), 'a kind, an id, its value and the Unix seconds of its end'),
    ),
  ),
});

const stateSchema = v.object({ grantbox_state: v.literal(stateVersion), issuers: v.record(v.string(), issuerSchema) });

/** The content of a state file: issuers by their path. */
export type SavedState = OutputOf<typeof stateSchema>;
export type SavedIssuer = OutputOf<typeof issuerSchema>;
export type SavedEntries = SavedIssuer['clients'];

/** A state that cannot be used, with all that is wrong with it. */
export class SavedStateError extends Error {
  override readonly name = 'SavedStateError';
  readonly findings: readonly Finding[];
  constructor(findings: readonly Finding[]) {
    super(findings.map(({ path, expected }) => `${path.join('.')}: ${expected}`).join('\n'));
    this.findings = findings;
  }
}

/**
 * Checks the content of a state file.
 * @throws SavedStateError
 */
export function readSavedState(value: unknown): SavedState {
  const version = isRecord(value) ? value.grantbox_state : undefined;
  const wrong = (expected: string) => new SavedStateError([{ path: ['grantbox_state'], value: version, expected }]);
  if (typeof version !== 'number') throw wrong('the version of a state file that Grantbox wrote');
  if (version > stateVersion) throw wrong(`at most ${stateVersion}: a newer Grantbox wrote the file`);
  const { success, output, issues } = v.safeParse(stateSchema, value, { abortEarly: true });
  if (!success) throw new SavedStateError(issues.map(findingOf));
  return output;
}

/** Without the value, which may be a secret. */
function findingOf({ path, expected, kind, message }: v.BaseIssue<unknown>): Finding {
  const steps = (path ?? []).map(({ key: step }) => (typeof step === 'number' ? step : String(step)));
  return { path: steps, expected: kind === 'schema' && expected !== null ? expected : message };
}

function isKept(kind: string, value: unknown): boolean {
  const schema = keptEntries.get(kind);
  return schema !== undefined && v.is(schema, value);
}
