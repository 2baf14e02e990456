import * as v from 'valibot';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { contextOf } from '../../../../server/http/request-context.ts';
import { described, optional, text } from '../../described.ts';
import { logInByCall } from '../../login.ts';
import type { LoginRequest } from '../../login-request.ts';
import { loginRequest } from '../../login-schema.ts';
import { operation } from '../operation.ts';

const callback = v.object({
  redirect: text('The complete callback URL'),
  state: text('The `state` that was sent or generated'),
  iss: text('The issuer (RFC 9207)'),
  code: optional(v.string(), 'The authorization code; absent if an error was chosen'),
  code_verifier: optional(v.string(), 'The verifier, if the sandbox generated the code_challenge'),
  sid: optional(v.string(), 'The session ID of the new login'),
  error: optional(v.string(), 'The error that was chosen'),
  error_description: optional(v.string(), 'The reason in words'),
});

const tokens = v.object({
  access_token: text('RFC 6749 §5.1'),
  token_type: v.picklist(['Bearer', 'DPoP', 'N_A']),
  expires_in: v.number(),
  scope: optional(v.string(), 'The granted scopes'),
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
      localStorage: described(entries, 'The entries for oidc-client-ts with `userStore` in localStorage'),
      sessionStorage: described(
        entries,
        'The entries for oidc-client-ts by default; Playwright does not restore sessionStorage',
      ),
    }),
  ),
});

/** A login without a browser. */
export const loginOperations = [
  operation({
    name: 'login',
    method: 'POST',
    path: '/login',
    summary: 'Log a user in at a client without a browser, for a code, a token response, or a browser state',
    body: loginRequest,
    answers: {
      200: {
        description: 'By `as`: the callback with its code, the token response, or a storage state for Playwright',
        schema: v.union([callback, tokens, browser]),
      },
      400: { description: 'The refusal of the authorization or the token endpoint' },
    },
    async run({ body, req }, { server }) {
      const { emit } = contextOf(req);
      // the schema has let nothing else through
      return jsonAnswer(200, await logInByCall({ server, emit }, body as LoginRequest));
    },
  }),
];
