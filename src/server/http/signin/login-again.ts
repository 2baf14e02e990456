import type { IncomingMessage } from 'node:http';
import { defined } from '../../../base/defined.ts';
import type { LoginPreview } from '../../../protocol/endpoints/preview-login.ts';
import { OAuthError } from '../../../protocol/errors.ts';
import { parameter, type RequestParameters, shorten } from '../../../protocol/parameters.ts';
import type { ClaimsProblem } from '../../../protocol/users/login-claims.ts';
import { contextOf } from '../request-context.ts';
import { english, type Said } from './language.ts';

/** Why the login page is shown again. */
export interface RefusedLogin {
  readonly notice: Said;
  /** The subject or username that was typed. */
  readonly typed?: string | undefined;
}

/** State of the login page when it is shown again: the error and the typed values. */
export interface LoginAgain {
  readonly status: number;
  readonly notice?: Said | undefined;
  readonly typed?: string | undefined;
  readonly editor?: EditorState | undefined;
  /** Text of a search among the users. */
  readonly search?: string | undefined;
}

/** State of the claims editor of the login page. */
export interface EditorState {
  readonly sub: string;
  /** The typed JSON, valid or not. */
  readonly claims: string;
  readonly isComplete: boolean;
  readonly keep: 'login' | 'user';
  readonly problem?: ClaimsProblem;
  readonly preview?: LoginPreview;
  /** Names of the claims that the preview marks as set. */
  readonly edited?: readonly string[];
}

/**
 * The login page with the users that match a search. A search is sent every few letters and decides nothing, so it counts
 * as a page view: it is not a step of the flow, and is not recorded.
 */
export function searchFor(req: IncomingMessage, form: RequestParameters): LoginAgain {
  contextOf(req).endpoint = 'user_search';
  return { status: 200, search: shorten(parameter(form, 'search') ?? '') };
}

/** The login page with the error of a name or password. The error is also logged. */
export function refusedLogin(req: IncomingMessage, refusal: RefusedLogin, client_id?: string): LoginAgain {
  const { word, values } = refusal.notice; // the log is English, whatever the page speaks
  const { code, reason, description } = new OAuthError('access_denied', 'login_failed', english.say(word, values));
  const refused = { error: code, reason, description, status: 401, ...defined({ client_id }) };
  contextOf(req).emit({ type: 'error.returned', endpoint: 'login', form: 'page', ...refused });
  return { status: 401, ...refusal };
}
