import { isRecord } from '../../../src/base/text/record.ts';
import { type Bench, createBench, type TestedIssuer } from './bench.ts';
import { checks } from './checks.ts';
import { NotExercised } from './demand.ts';
import { describe, type Json } from './json.ts';

/** A promise of the metadata: one value of one member. */
interface MetadataPromise {
  readonly issuer: string;
  readonly member: string;
  /** A value of the list, or the whole member as text. */
  readonly value: string;
  /** The promise in words. */
  readonly promise: string;
}

/** What came of it: `happened` describes the answer that breaks it, `why` the reason why it cannot be tried here. */
export type PromiseResult =
  | (MetadataPromise & { readonly outcome: 'kept' })
  | (MetadataPromise & { readonly outcome: 'broken'; readonly happened: string })
  | (MetadataPromise & { readonly outcome: 'not exercised'; readonly why: string });

/** Tests every promise of the two metadata documents of an issuer (RFC 8414 §2, OIDC Discovery 1.0 §3), as a client would use it. */
export async function tryPromises(subject: TestedIssuer): Promise<readonly PromiseResult[]> {
  const results: PromiseResult[] = [];
  const bench = await createBench(subject);
  try {
    for (const [member, value] of Object.entries({ ...bench.oauthMetadata, ...bench.metadata })) {
      const values = valuesOf(value);
      // members run one after the other, the values of one list at the same time
      results.push(...(await Promise.all(values.map(each => tryPromise(bench, member, each)))));
    }
  } finally {
    await bench.close();
  }
  return results;
}

/** The values of a list, the names of an object, or a single value. */
function valuesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return isRecord(value) ? Object.keys(value) : [String(value)];
}

async function tryPromise(bench: Bench, member: string, value: string): Promise<PromiseResult> {
  const [promise = 'unknown', probes] = (Object.hasOwn(checks, member) ? checks[member] : undefined) ?? [];
  const tried: MetadataPromise = { issuer: bench.subject.issuer, member, value, promise };
  const untried = (why: string) => ({ ...tried, outcome: 'not exercised', why }) as const;
  if (probes === undefined) return untried('no check knows this member');
  const probe = typeof probes === 'function' ? probes : Object.hasOwn(probes, value) ? probes[value] : undefined;
  try {
    await demandAnswer(bench, member, value);
    if (probe === undefined) return untried('no check knows this value');
    await probe(bench, value);
    return { ...tried, outcome: 'kept' };
  } catch (error) {
    return error instanceof NotExercised
      ? untried(error.message)
      : { ...tried, outcome: 'broken', happened: wordsOf(error) };
  }
}

async function demandAnswer({ http, metadata }: Bench, member: string, value: string): Promise<void> {
  if (!/(_endpoint|_uri|_iframe)$/.test(member) || typeof (metadata as Json)[member] !== 'string') return;
  const answer = await http.send(value);
  if ([404, 501].includes(answer.status) || answer.status >= 500) {
    throw new Error(`no endpoint there: ${value} answered ${describe(answer)}`);
  }
}

/** Any error of a probe counts as broken, because the answer was not what a client expects. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
