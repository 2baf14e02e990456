import type { Response } from 'express';
import { problemType } from '../../base/text/problem-type.ts';
import type { ResourceReason } from '../../record/resource-reason.ts';
import { type Challenge, formatChallenge, shorten } from './challenge.ts';
import type { Compared } from './compared.ts';
import { sendJson } from './send-json.ts';
import type { Claims } from './token-claims.ts';

const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
} as const;

export type ProblemStatus = keyof typeof titles;

export interface ProblemExtras extends Compared {
  /** Extension members of the body (RFC 9457 §3.2). */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Becomes `WWW-Authenticate`. */
  readonly challenge?: Challenge;
  /** Claims of the refused token, if its signature is valid; for the log. */
  readonly claims?: Claims;
}

/** A refusal, thrown anywhere below the router and written by its error handler (RFC 9457). */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly reason: ResourceReason;
  readonly detail: string;
  readonly extras: ProblemExtras;

  constructor(status: ProblemStatus, reason: ResourceReason, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.name = 'Problem';
    this.status = status;
    this.reason = reason;
    this.detail = detail;
    this.extras = extras;
  }
}

/** The same problem with more details; any other error stays as it is. */
export function withExtras(error: Problem, more: ProblemExtras): Problem;
export function withExtras(error: unknown, more: ProblemExtras): unknown;
export function withExtras(error: unknown, more: ProblemExtras): unknown {
  if (!(error instanceof Problem)) return error;
  return new Problem(error.status, error.reason, error.detail, { ...error.extras, ...more });
}

/** The same problem with more in its challenge, if it has one. */
export function withChallenge(error: unknown, more: Challenge): unknown {
  const challenge = error instanceof Problem ? error.extras.challenge : undefined;
  return challenge === undefined ? error : withExtras(error, { challenge: { ...challenge, ...more } });
}

/** Addresses at which a client and its developer find more. */
export interface Pointers {
  /** Added to the challenge, if there is one (RFC 9728 §5.1). */
  readonly resourceMetadata?: string | undefined;
  /** Becomes a link of relation `help` (RFC 8288 §3). */
  readonly help?: string | undefined;
}

/** Writes the problem in the media type that the caller accepts. */
export function sendProblem(response: Response, problem: Problem, { resourceMetadata, help }: Pointers = {}): void {
  const { status, detail, extras } = problem;
  const body = { type: 'about:blank', title: titles[status], status, detail, ...extras.members };
  const headers: Record<string, string> = {
    ...extras.headers,
    'Content-Type': problemType(response.req.headers.accept),
  };
  if (extras.challenge !== undefined) headers['WWW-Authenticate'] = formatChallenge(extras.challenge, resourceMetadata);
  if (help !== undefined) headers.Link = `<${help}>; rel="help"`;
  sendJson(response, status, body, headers);
}

/** One error in a body (`field`) or a query (`parameter`). */
export interface InputError {
  readonly field?: string;
  readonly parameter?: string;
  readonly detail: string;
}

/** An `InputError` with its two values, for the log. */
export interface RequestProblem extends InputError {
  readonly sent: string;
  readonly expected: string;
}

const maxListedErrors = 25;
const maxCompared = 5;

/** 400 with every invalid field or parameter in `errors`; beyond 25 only their number is given. */
export function invalidInput(reason: ResourceReason, what: string, problems: readonly RequestProblem[]): Problem {
  const listed: InputError[] = problems
    .slice(0, maxListedErrors)
    .map(({ sent: _, expected: __, ...error }): InputError => error);
  const more = problems.length - listed.length;
  if (more > 0) listed.push({ detail: `${more} more` });
  const count = problems.length === 1 ? '1 error' : `${problems.length} errors`;
  const compared = { sent: listOf(problems, 'sent'), expected: listOf(problems, 'expected') };
  return new Problem(400, reason, `${what}: ${count}, see the errors member`, {
    members: { errors: listed },
    ...compared,
  });
}

function listOf(problems: readonly RequestProblem[], member: 'sent' | 'expected'): string {
  const named = problems.slice(0, maxCompared).map(problem => {
    const name = problem.field ?? problem.parameter;
    return name === undefined ? problem[member] : `${name}: ${problem[member]}`;
  });
  return shorten([...named, ...(problems.length > maxCompared ? ['…'] : [])].join('; '), 600);
}

/** Facts of a refusal for a log. */
export interface Refusal extends Compared {
  readonly status: ProblemStatus;
  readonly detail: string;
  /** The code of the challenge (RFC 6750 §3.1); absent for an error of the resource, and if no token was sent. */
  readonly error?: string;
  readonly reason: ResourceReason;
  /** Claims of the token, if its signature is valid; the token may still be refused. */
  readonly claims?: Claims;
}

/** The facts of a problem for the log. */
export function refusalOf({ status, reason, detail, extras }: Problem): Refusal {
  const { sent, expected, challenge, claims } = extras;
  return {
    status,
    detail,
    reason,
    ...(challenge?.error === undefined ? {} : { error: challenge.error }),
    ...(sent === undefined ? {} : { sent }),
    ...(expected === undefined ? {} : { expected }),
    ...(claims === undefined ? {} : { claims }),
  };
}
