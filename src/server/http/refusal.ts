import type { IncomingMessage } from 'node:http';
import { defined } from '../../base/defined.ts';
import { type AuthorizationServer, endpointUrl } from '../../protocol/authorization-server.ts';
import { spokenError } from '../../protocol/endpoints/deliver-response.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { resourceMetadataUrl } from '../../protocol/protected-resource.ts';
import type { Answer } from './answer.ts';
import type { ErrorForm } from './error-replies.ts';
import type { Explaining } from './explained.ts';
import { contextOf } from './request-context.ts';
import type { Views } from './views.ts';

/** Parts of the answer to a refused request. */
export interface RefusalOptions {
  readonly server: AuthorizationServer;
  readonly views: Views;
  /** The page of a request in the dashboard; undefined when that is off. */
  readonly explanationOf: (requestId: string) => string | undefined;
  /** Adds an `error_uri` to errors on the wire. */
  readonly errorUris: boolean;
  /** Data that the error page needs for its explanation. */
  readonly explaining: () => Promise<Explaining>;
  readonly onError: (error: unknown, requestId: string) => void;
}

/** Logs a refusal and answers it. An error that is not an OAuthError is our own failure, whose cause is only logged. */
export async function refuse(
  options: RefusalOptions,
  form: ErrorForm,
  thrown: unknown,
  req: IncomingMessage,
): Promise<Answer> {
  const { id, emit, endpoint, ...context } = contextOf(req);
  const error = thrown instanceof OAuthError ? thrown : ownFailure(thrown);
  if (error !== thrown) options.onError(thrown, id);
  const { sent, expected, about, client_id = context.client_id } = error.details;
  emit({
    type: 'error.returned',
    endpoint,
    form: form.name,
    status: error.status,
    error: error.code,
    reason: error.reason,
    description: error.fullDescription,
    ...defined({ client_id, sent, expected }),
    ...(about === undefined ? {} : { about: about.tokenId, authorizationId: about.authorizationId }),
  });
  const asked = { url: req.url, headers: req.headers, client_id };
  const explanation = options.explanationOf(id);
  const errorContext = {
    requestId: id,
    explanation,
    errorUri: options.errorUris ? explanation : undefined,
    resourceMetadata: userinfoMetadata(options.server),
    acceptsHtml: acceptsHtml(req),
    canRetry: req.method === 'GET',
    views: options.views,
    req,
    explained: () => explain(options, req),
  };
  return withHelp(await form.answer(spokenError(options.server, error, asked), errorContext), explanation);
}

/** Loads the explanation with the first error page. If the explanation fails, the error is shown without it. */
async function explain({ explaining, onError }: RefusalOptions, req: IncomingMessage) {
  try {
    const { explained } = await import('./explained.ts');
    const parts = await explaining();
    await parts.known.events.caughtUp();
    return explained(parts, req);
  } catch (error) {
    onError(error, contextOf(req).id);
    return undefined;
  }
}

/** Adds a `Link` to the page that explains the refusal (RFC 8288 §3). */
function withHelp(answer: Answer, explanation: string | undefined): Answer {
  if (explanation === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, Link: `<${explanation}>; rel="help"` } };
}

function userinfoMetadata(server: AuthorizationServer): string | undefined {
  const isOn = server.features.has('protected-resource-metadata');
  return isOn ? resourceMetadataUrl(endpointUrl(server, 'userinfo')) : undefined;
}

function ownFailure(cause: unknown): OAuthError {
  return new OAuthError('server_error', 'internal', 'the sandbox failed; its log says why', { cause });
}

function acceptsHtml({ headers: { accept } }: IncomingMessage): boolean {
  return accept === undefined || /text\/(html|\*)|\*\/\*/i.test(accept);
}
