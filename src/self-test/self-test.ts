import { isRecord } from '../text/record.ts';
import { type Bench, createBench, type TestedIssuer } from './bench.ts';
import { checks } from './checks.ts';
import { NotExercised } from './demand.ts';
import { describe, type Json } from './json.ts';
import type { SelfTestPromise, SelfTestResult } from './report.ts';

/** Tries all that the two metadata documents of an issuer promise (RFC 8414 §2, OIDC Discovery 1.0 §3), as a client would. */
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
      // one after the other where a member is one address; a list is tried all at once
      for (const result of await Promise.all(values.map(each => tryPromise(bench, member, each)))) keep(result);
    }
  } finally {
    await bench.close();
  }
  return results;
}

/** The values of a list, the names of an object, or the one there is. */
function valuesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return isRecord(value) ? Object.keys(value) : [String(value)];
}

async function tryPromise(bench: Bench, member: string, value: string): Promise<SelfTestResult> {
  const [promise = 'something', probes] = (Object.hasOwn(checks, member) ? checks[member] : undefined) ?? [];
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

/** What is advertised as an address is one: something answers there. */
async function demandAnswer({ http, metadata }: Bench, member: string, value: string): Promise<void> {
  if (!/(_endpoint|_uri|_iframe)$/.test(member) || typeof (metadata as Json)[member] !== 'string') return;
  const answer = await http.send(value);
  if ([404, 501].includes(answer.status) || answer.status >= 500) {
    throw new Error(`nothing is there: it answered ${describe(answer)}`);
  }
}

/** A check that fails by itself says something of the server, too: its answer was not what any client expects. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
