import type { IncomingMessage } from 'node:http';
import { defined } from '../../base/defined.ts';
import { problemType } from '../../base/text/problem-type.ts';
import type { OAuthError } from '../../protocol/errors.ts';
import { withoutToken } from '../../protocol/proofs/bearer-token.ts';
import type { ExplanationView } from '../../record/problems/explain.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { dashboardHeaders, loginHeaders } from './security-headers.ts';
import type { Views } from './views.ts';

/** Facts an error answer may contain in addition to the error. */
export interface ErrorContext {
  readonly requestId: string;
  /** The request's page in the dashboard; absent when that is off. */
  readonly explanation: string | undefined;
  /** The `error_uri` of the answer (RFC 6749 §5.2); absent when that is off. */
  readonly errorUri: string | undefined;
  /** URL of the metadata of UserInfo (RFC 9728 §5.1); absent when that is off. */
  readonly resourceMetadata: string | undefined;
  readonly acceptsHtml: boolean;
  /** Whether the same address can be loaded again without sending a form. */
  readonly canRetry: boolean;
  readonly views: Views;
  /** The refused request, which says the language of the page. */
  readonly req: IncomingMessage;
  /** The explanation, with both values and the fix; undefined if it could not be made. */
  readonly explained: () => Promise<ExplanationView | undefined>;
}

/** Form of the error answers of a route. */
export type ErrorForm = {
  readonly name: 'json' | 'page' | 'challenge' | 'problem';
  readonly answer: (error: OAuthError, context: ErrorContext) => Promise<Answer>;
};

/** RFC 6749 §5.2. */
export const asJson: ErrorForm = {
  name: 'json',
  answer: async (error, { errorUri }) => jsonAnswer(error.status, errorBody(error, errorUri), error.details.headers),
};

/** A page for the user, without a redirect (RFC 6749 §4.1.2.1), or JSON for a caller that does not accept HTML. */
export const asPage: ErrorForm = {
  name: 'page',
  async answer(error, context) {
    if (!context.acceptsHtml) return asJson.answer(error, context);
    const { sent, expected, headers } = error.details;
    const explained = await context.explained();
    const { languageOf, pageAnswer } = await import('./signin/language.ts');
    const language = languageOf(context.req);
    const html = await context.views.error({
      language,
      status: error.status,
      error: error.code,
      reason: error.reason,
      description: error.description,
      sent,
      expected,
      requestId: context.requestId,
      detailsUrl: context.explanation,
      explained,
      canRetry: context.canRetry,
      copied: detailsOf(error, context),
    });
    const own = explained?.leadsOn === true ? loginHeaders : dashboardHeaders;
    return pageAnswer(language, pageStatus(error), html, { ...own, ...headers });
  },
};

/** The lines that *Copy details* copies: nothing that the page does not show. */
function detailsOf(
  { status, code, reason, description }: OAuthError,
  { requestId, explanation }: ErrorContext,
): string {
  const lines = [`HTTP ${status} ${code}`, `description: ${description}`, `reason: ${reason}`, `request: ${requestId}`];
  return [...lines, ...(explanation === undefined ? [] : [`explained at: ${explanation}`])].join('\n');
}

/** 401 would ask a browser for a password. */
function pageStatus(error: OAuthError): number {
  return error.status === 401 ? 400 : error.status;
}

/** RFC 9457, with the sent and the expected value, for calls of the control API. */
export const asProblem: ErrorForm = {
  name: 'problem',
  async answer({ code, reason, description, status, details }, { errorUri, req }) {
    const { sent, expected, problems, headers } = details;
    const values = defined({ sent, expected });
    const uri = errorUri === undefined ? {} : { error_uri: errorUri };
    const body = { type: 'about:blank', title: code, status, detail: description, reason, ...values, ...uri };
    const all = problems === undefined ? body : { ...body, errors: problems };
    return jsonAnswer(status, all, { 'Content-Type': problemType(req.headers.accept), ...headers });
  },
};

/** RFC 6750 §3 with the problem details of RFC 9457 as body. */
export const asChallenge: ErrorForm = {
  name: 'challenge',
  async answer(error, { errorUri, resourceMetadata, req }) {
    const body = {
      type: 'about:blank',
      title: error.code,
      status: error.status,
      detail: error.description,
      ...errorBody(error, errorUri),
    };
    const { 'WWW-Authenticate': own = challenge(error), ...others } = error.details.headers ?? {};
    const headers = {
      'Content-Type': problemType(req.headers.accept),
      'WWW-Authenticate': resourceMetadata === undefined ? own : withMetadata(own, resourceMetadata),
      ...others,
    };
    return jsonAnswer(error.status, body, headers);
  },
};

function challenge({ code, reason, description, details }: OAuthError): string {
  if (withoutToken.has(reason)) return 'Bearer';
  const scope = code === 'insufficient_scope' ? `, scope="${details.expected ?? ''}"` : '';
  return `Bearer error="${code}", error_description="${description}"${scope}`;
}

/** After a scheme alone there is no comma (RFC 9110 §11.6.1). */
function withMetadata(challenge: string, resourceMetadata: string): string {
  return `${challenge}${challenge.includes(' ') ? ',' : ''} resource_metadata="${resourceMetadata}"`;
}

function errorBody({ code, description, details }: OAuthError, errorUri: string | undefined): object {
  const uri = errorUri === undefined ? {} : { error_uri: errorUri };
  return { error: code, ...(details.isBare ? {} : { error_description: description }), ...details.members, ...uri };
}
