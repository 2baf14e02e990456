import type { Response } from 'express';
import { type Challenge, formatChallenge } from './challenge.ts';
import { sendJson } from './send-json.ts';

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

export interface ProblemExtras {
  /** Extension members of the body (RFC 9457 §3.2). */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Becomes `WWW-Authenticate`. */
  readonly challenge?: Challenge;
}

/** A refusal, thrown anywhere below the router and written by its error handler (RFC 9457). */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly detail: string;
  readonly extras: ProblemExtras;

  constructor(status: ProblemStatus, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.name = 'Problem';
    this.status = status;
    this.detail = detail;
    this.extras = extras;
  }
}

/** Writes `application/problem+json`; `resourceMetadata` joins the challenge, if there is one (RFC 9728 §5.1). */
export function sendProblem(response: Response, problem: Problem, resourceMetadata?: string): void {
  const { status, detail, extras } = problem;
  const body = { type: 'about:blank', title: titles[status], status, detail, ...extras.members };
  const headers: Record<string, string> = { ...extras.headers, 'Content-Type': 'application/problem+json' };
  if (extras.challenge !== undefined) headers['WWW-Authenticate'] = formatChallenge(extras.challenge, resourceMetadata);
  sendJson(response, status, body, headers);
}

/** One thing that is wrong with a body (`field`) or a query (`parameter`). */
export interface InputError {
  readonly field?: string;
  readonly parameter?: string;
  readonly detail: string;
}

const maxListedErrors = 25;

/** 400 with every faulty field or parameter in `errors`; beyond 25 only their number is told. */
export function invalidInput(what: string, errors: readonly InputError[]): Problem {
  const listed = errors.slice(0, maxListedErrors);
  const more = errors.length - listed.length;
  if (more > 0) listed.push({ detail: `${more} more` });
  return new Problem(
    400,
    `${what}: ${errors.length === 1 ? '1 error' : `${errors.length} errors`}, see the errors member`,
    {
      members: { errors: listed },
    },
  );
}
