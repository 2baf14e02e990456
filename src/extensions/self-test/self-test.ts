import { isRecord } from '../../base/text/record.ts';
import { type Bench, createBench, type TestedIssuer } from './bench.ts';
import { checks, providerChecks } from './checks.ts';
import { NotExercised } from './demand.ts';
import { describe, type Json } from './json.ts';
import type { SelfTestPromise, SelfTestResult } from './report.ts';

const all = { ...checks, ...providerChecks };

/** Tests every promise of the two metadata documents of an issuer (RFC 8414 §2, OIDC Discovery 1.0 §3), as a client would use it. */
export async function testIssuer(
  subject: TestedIssuer,
  note: (result: SelfTestResult) => void = () => {},
): Promise<readonly SelfTestResult[]> {
  const results: SelfTestResult[] = [];
  const keep = (result: SelfTestResult) => {
    results.push(result);
    note(result);
  };
  const { issuer } = subject;
  const documents = { issuer, member: 'metadata', value: '', promise: 'two documents' };
  const bench = await createBench(subject).catch((error: unknown) => {
    keep({ ...documents, outcome: 'broken', happened: wordsOf(error) });
  });
  if (bench === undefined) return results;
  try {
    for (const [member, value] of Object.entries({ ...bench.oauthMetadata, ...bench.metadata })) {
      const values = valuesOf(value);
      // members run one after the other, the values of one list at the same time
      for (const result of await Promise.all(values.map(each => tryPromise(bench, member, each)))) keep(result);
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

async function tryPromise(bench: Bench, member: string, value: string): Promise<SelfTestResult> {
  const [promise = 'unknown', probes] = (Object.hasOwn(all, member) ? all[member] : undefined) ?? [];
  const tried: SelfTestPromise = { issuer: bench.subject.issuer, member, value, promise };
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
