/** One value of one member of the metadata. */
export interface SelfTestPromise {
  readonly issuer: string;
  readonly member: string;
  /** One of the member's list, or all of it as text. */
  readonly value: string;
  /** In words. */
  readonly promise: string;
}

/** What came of it. */
export type SelfTestResult =
  | (SelfTestPromise & { readonly outcome: 'kept' })
  /** `happened` is what came instead. */
  | (SelfTestPromise & { readonly outcome: 'broken'; readonly happened: string })
  /** It cannot be tried from here, and this is why. */
  | (SelfTestPromise & { readonly outcome: 'not exercised'; readonly why: string });

/** Whether the metadata of the sandbox tells the truth: each promise, tried as a client would. */
export interface SelfTestReport {
  readonly kept: number;
  /** Each lie: what the document promises, and what happened. */
  readonly lies: readonly Extract<SelfTestResult, { outcome: 'broken' }>[];
  readonly notExercised: readonly Extract<SelfTestResult, { outcome: 'not exercised' }>[];
  /** All of them, in the order of the documents. */
  readonly results: readonly SelfTestResult[];
  readonly milliseconds: number;
}

export function reportOf(results: readonly SelfTestResult[], milliseconds: number): SelfTestReport {
  return {
    kept: results.filter(({ outcome }) => outcome === 'kept').length,
    lies: results.filter(result => result.outcome === 'broken'),
    notExercised: results.filter(result => result.outcome === 'not exercised'),
    results,
    milliseconds: Math.round(milliseconds),
  };
}

/** `34 promises kept`, and what else there is to say. */
export function summaryOf({ kept, lies, notExercised }: SelfTestReport): string {
  return [
    `${kept} ${kept === 1 ? 'promise' : 'promises'} kept`,
    ...(lies.length === 0 ? [] : [`${lies.length} broken`]),
    ...(notExercised.length === 0 ? [] : [`${notExercised.length} not exercised`]),
  ].join(', ');
}

/** The document lies: each lie in one line. */
export class SelfTestError extends Error {
  readonly report: SelfTestReport;

  constructor(report: SelfTestReport) {
    const lines = report.lies.map(lie => `  ${nameOf(lie)}: promised ${lie.promise}; ${lie.happened}`);
    super([`The self-test found that the metadata lies (${summaryOf(report)}):`, ...lines].join('\n'));
    this.name = 'SelfTestError';
    this.report = report;
  }
}

/** `grant_types_supported password`, with the issuer that says so. */
export function nameOf({ issuer, member, value }: SelfTestPromise): string {
  return `${issuer} ${member}${value === '' ? '' : ` ${value}`}`;
}
