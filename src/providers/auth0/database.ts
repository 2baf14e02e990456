import { hash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { invalidRequest, type OAuthError } from '../../protocol/errors.ts';
import { readJsonParameter } from '../../protocol/json-parameter.ts';
import { lenientParameter, parameter, type RequestParameters } from '../../protocol/parameters.ts';
import { findUser } from '../../protocol/users/login-need.ts';
import { jsonAnswer } from '../../server/http/answer.ts';
import type { ErrorForm } from '../../server/http/error-replies.ts';

/** The name of the list of users, which is one connection. */
export const connectionName = 'Username-Password-Authentication';

/** Errors of the calls below `/dbconnections`. */
export const asDatabaseError: ErrorForm = {
  name: 'json',
  async answer({ status, reason, description, details }) {
    const code = reason === 'signup_refused' && details.sent !== undefined ? details.sent : 'invalid_request';
    return jsonAnswer(status, { name: 'BadRequestError', code, description, statusCode: status }, details.headers);
  },
};

/** `POST /dbconnections/signup`. */
export async function signUp(server: AuthorizationServer, { parameters }: EndpointRequest): Promise<Reply> {
  const email = neededEmail(server, parameters);
  const password = parameter(parameters, 'password');
  if (password === undefined) throw refused('invalid_password', 'password is missing');
  if (findUser(server, email) !== undefined) throw refused('invalid_signup', 'Invalid sign up');
  const _id = hash('sha256', email).slice(0, 24);
  const text = (name: string) => lenientParameter(parameters, name);
  const names = { given_name: text('given_name'), family_name: text('family_name'), picture: text('picture') };
  const claims = {
    ...defined({ ...names, name: text('name') ?? email, nickname: text('nickname') ?? email.split('@', 1)[0] }),
    email,
    email_verified: false,
    ...defined({ user_metadata: metadataIn(parameters) }),
  };
  const username = text('username') ?? email;
  const user = { sub: `auth0|${_id}`, username, password, claims, access_token_claims: {} };
  if (!server.users.save(user)) throw refused('too_many_users', 'the sandbox has too many users');
  return { kind: 'json', status: 200, body: { _id, email, email_verified: false, ...defined(names) } };
}

/** `user_metadata` of a sign-up: an object, in a form as JSON. */
function metadataIn(parameters: RequestParameters): object | undefined {
  const text = parameter(parameters, 'user_metadata');
  if (text === undefined) return undefined;
  const notObject = () => refused('invalid_user_metadata', 'user_metadata must be an object');
  const value = readJsonParameter(text, notObject);
  if (isRecord(value)) return value;
  throw notObject();
}

/** `POST /dbconnections/change_password`: the answer is the same for an address that nobody has. */
export async function changePassword(server: AuthorizationServer, { parameters }: EndpointRequest): Promise<Reply> {
  neededEmail(server, parameters);
  const body = "We've just sent you an email to reset your password.";
  return { kind: 'text', type: 'text/html; charset=utf-8', body };
}

/** The e-mail address in a request of a known client. */
function neededEmail({ clients }: AuthorizationServer, parameters: RequestParameters): string {
  const client_id = parameter(parameters, 'client_id');
  if (client_id === undefined || !clients.has(client_id)) throw refused('invalid_client', 'client_id is not known');
  const email = parameter(parameters, 'email')?.toLowerCase();
  if (email === undefined || !/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(email) || email.length > 200)
    throw refused('invalid_signup', 'email is missing or is no address');
  return email;
}

function refused(sent: string, description: string): OAuthError {
  return invalidRequest('signup_refused', description, { sent });
}
