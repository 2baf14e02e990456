import * as v from 'valibot';
import { jsonAnswer } from '../../../http/answer.ts';
import { contextOf } from '../../../http/request-context.ts';
import { described, optional, text } from '../../described.ts';
import { login } from '../../login.ts';
import type { LoginRequest } from '../../login-request.ts';
import { loginRequest } from '../../login-schema.ts';
import { operation } from '../operation.ts';

const callback = v.object({
  redirect: text('The whole address of the callback'),
  state: text('As it was sent, or made'),
  iss: text('The issuer (RFC 9207)'),
  code: optional(v.string(), 'Not where an error was chosen'),
  code_verifier: optional(v.string(), 'Of the code_challenge that was made'),
  sid: optional(v.string(), 'Of the session that has begun'),
  error: optional(v.string(), 'The one that was chosen'),
  error_description: optional(v.string(), 'In words'),
});

const tokens = v.object({
  access_token: text('RFC 6749 §5.1'),
  token_type: v.picklist(['Bearer', 'DPoP', 'N_A']),
  expires_in: v.number(),
  scope: optional(v.string(), 'What was granted'),
  refresh_token: optional(v.string(), 'RFC 6749 §1.5'),
  id_token: optional(v.string(), 'OIDC Core §2'),
});

const entries = v.array(v.object({ name: v.string(), value: v.string() }));

const browser = v.object({
  cookies: v.array(
    v.object({
      name: v.string(),
      value: v.string(),
      domain: v.string(),
      path: v.string(),
      expires: v.number(),
      httpOnly: v.boolean(),
      secure: v.boolean(),
      sameSite: v.picklist(['Lax', 'None']),
    }),
  ),
  origins: v.array(
    v.object({
      origin: v.string(),
      localStorage: described(entries, 'For oidc-client-ts with a userStore of localStorage'),
      sessionStorage: described(entries, 'Where oidc-client-ts keeps it by default; not for Playwright'),
    }),
  ),
});

/** A login without a browser. */
export const loginOperations = [
  operation({
    name: 'login',
    method: 'POST',
    path: '/login',
    summary:
      'Log a user in at a client without a browser: a code, a token response, or what a browser would keep of it',
    body: loginRequest,
    answers: {
      200: {
        description: 'By `as`: the callback with its code, the token response, or a storage state for Playwright',
        schema: v.union([callback, tokens, browser]),
      },
      400: { description: 'What the authorization or the token endpoint refuses, and why' },
    },
    async run({ body, req }, { server }) {
      const { emit } = contextOf(req);
      // the schema has let nothing else through
      return jsonAnswer(200, await login({ server, emit }, body as LoginRequest));
    },
  }),
];
