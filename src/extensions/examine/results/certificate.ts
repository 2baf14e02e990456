import { createHash } from 'node:crypto';
import { isRecord } from '../../../base/text/record.ts';
import { version } from '../../../package.ts';
import type { Examination, ExamSummary, ModuleResult } from '../examination.ts';

/** SHA-256 digests in hexadecimal digits. */
export interface ExamDigest {
  readonly algorithm: 'SHA-256';
  /** Of the plan, the version, and each module with its verdict and `events`: two runs with the same outcome have the same. */
  readonly result: string;
  /** Of the `events` of all modules. */
  readonly events: string;
  /** Of all else in the file, such as its date. */
  readonly file: string;
}

/** A result with its digests, as it is written to JSON. */
export interface SealedExamination extends Omit<Examination, 'modules'> {
  /** The version of Grantbox. */
  readonly grantbox: string;
  readonly modules: readonly (ModuleResult & Pick<CertifiedModule, 'events'>)[];
  readonly digest: ExamDigest;
}

/** A module in a certificate. */
interface CertifiedModule extends Pick<ModuleResult, 'id' | 'suite' | 'verdict'> {
  /** The digest of the requests that show the verdict: endpoint, method, status and faults. */
  readonly events: string;
}

/** A result without its sentences and requests, to keep and to publish. */
export interface ExamCertificate
  extends Pick<Examination, 'plan' | 'title' | 'createdAt' | 'issuers' | 'verdict'>,
    Pick<SealedExamination, 'grantbox' | 'digest'> {
  readonly format: 'grantbox-examination-certificate';
  readonly version: 1;
  readonly summary: ExamSummary;
  readonly modules: readonly CertifiedModule[];
  /** The meaning of the digest, for people. */
  readonly proves: string;
}

/** The meaning of a digest, in a certificate and on the terminal. */
export const proves =
  'The digest shows that nobody has edited this file, if you know the digest from elsewhere, such as the log of the pipeline. It does not show who ran the examination: anybody can write a file with a digest that fits.';

/** The result with its digests. */
export function sealed(examination: Examination): SealedExamination {
  const modules = examination.modules.map(module => ({ ...module, events: eventsOf(module.requests) }));
  return withDigest({ ...examination, grantbox: version, modules });
}

/** The certificate of a result. It has the `result` digest of the sealed result. */
export function certificateOf(examination: Examination): ExamCertificate {
  const { plan, title, createdAt, issuers, verdict, summary, modules } = sealed(examination);
  return withDigest({
    format: 'grantbox-examination-certificate',
    version: 1,
    grantbox: version,
    ...{ plan, title, createdAt, issuers, verdict, summary },
    modules: modules.map(({ id, suite, verdict: own, events }) => ({
      id,
      ...(suite === undefined ? {} : { suite }),
      verdict: own,
      events,
    })),
    proves,
  });
}

/** A line with the digest of a result. */
export function digestLine(examination: Examination): string {
  return `Digest of the result: ${sealed(examination).digest.result}\n`;
}

type Undigested = Pick<SealedExamination, 'plan' | 'grantbox' | 'issuers'> & {
  readonly modules: readonly CertifiedModule[];
};

function withDigest<T extends Undigested>(content: T): T & { readonly digest: ExamDigest } {
  return { ...content, digest: digestOf(content) };
}

function digestOf(content: Undigested): ExamDigest {
  const { plan, grantbox, issuers, modules } = content;
  const events = sha256(modules.map(module => module.events));
  const verdicts = modules.map(({ id, verdict, events: own }) => [id, verdict, own]);
  return { algorithm: 'SHA-256', result: sha256({ plan, grantbox, issuers, verdicts }), events, file: sha256(content) };
}

/** Without ids and addresses, which differ from run to run. */
function eventsOf(requests: ModuleResult['requests']): string {
  return sha256(requests.map(({ endpoint, method, status, faults }) => ({ endpoint, method, status, faults })));
}

function sha256(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** JSON whose members are sorted by name, as RFC 8785 does, so that a file may be formatted anew. */
function canonical(value: unknown): string {
  const sorted = (_: string, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each;
  return JSON.stringify(value, sorted);
}

/** The outcome of a check: all that does not fit, as sentences; none if the file is as it was written. */
export interface ExamVerification {
  readonly problems: readonly string[];
  readonly content: SealedExamination | ExamCertificate;
}

/** Checks the digests of a certificate or of a result in JSON; undefined if the value is neither. */
export function verified(value: unknown): ExamVerification | undefined {
  if (!isSealed(value)) return undefined;
  const { digest, ...content } = value;
  const strange = content.modules.filter(module => isEdited(module));
  const right = digestOf(content);
  const parts = [
    ...strange.map(({ id }) => `The requests of ${id} are not those that its digest was made of.`),
    ...summaryProblems(content),
    ...(digest.events === right.events ? [] : ['The digest of the events does not fit those of the modules.']),
    ...(digest.result === right.result
      ? []
      : ['The result was changed: the plan, the version of Grantbox, a module or a verdict.']),
  ];
  const others = 'Another part of the file was changed, such as its date or a sentence.';
  const problems = parts.length === 0 && digest.file !== right.file ? [others] : parts;
  return { problems, content: value };
}

function isEdited(module: Readonly<Record<string, unknown>> | CertifiedModule): boolean {
  const { requests, events } = module as Partial<SealedExamination['modules'][number]>;
  return Array.isArray(requests) && eventsOf(requests) !== events;
}

function summaryProblems({ summary, modules }: Pick<ExamCertificate, 'summary' | 'modules'>): readonly string[] {
  const wrong = Object.entries(summary).find(
    ([verdict, count]) => modules.filter(module => module.verdict === verdict).length !== count,
  );
  if (wrong === undefined) return [];
  const [verdict, count] = wrong;
  const there = modules.filter(module => module.verdict === verdict).length;
  return [`The summary says ${count} ${verdict}, and the modules have ${there}.`];
}

const formats: readonly unknown[] = ['grantbox-examination', 'grantbox-examination-certificate'];

function isSealed(value: unknown): value is SealedExamination | ExamCertificate {
  if (!isRecord(value) || !formats.includes(value.format) || value.version !== 1) return false;
  const { modules, digest, summary } = value;
  return isRecord(digest) && isRecord(summary) && Array.isArray(modules) && modules.every(isRecord);
}
