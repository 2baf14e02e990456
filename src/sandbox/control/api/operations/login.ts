import * as v from 'valibot';
import { nextLoginLifetime } from '../../../../protocol/users/next-login.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { contextOf } from '../../../../server/http/request-context.ts';
import { described, optional, text } from '../../described.ts';
import { logInByCall } from '../../login.ts';
import type { LoginRequest } from '../../login-request.ts';
import { loginRequest } from '../../login-schema.ts';
import { addNextLogin, nextLoginActions } from '../../next-login.ts';
import { unknownEntry } from '../../refusal.ts';
import { operation } from '../operation.ts';

const callback = v.object({
  redirect: text('The complete callback URL'),
  state: text('The `state` that was sent or generated'),
  iss: text('The issuer (RFC 9207)'),
  code: optional(v.string(), 'The authorization code; absent if an error was chosen'),
  code_verifier: optional(v.string(), 'The verifier, if the sandbox generated the code_challenge'),
  sid: optional(v.string(), 'The session ID of the new sign-in'),
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

/** A sign-in without a browser. */
export const loginOperations = [
  operation({
    name: 'login',
    method: 'POST',
    path: '/login',
    summary: 'Sign a user in at a client without a browser, for a code, a token response, or a browser state',
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

const nextLogin = {
  sub: optional(v.string(), 'The `sub`, username or e-mail address of a user; not together with `action`'),
  client: optional(v.string(), 'Only a sign-in at this client. Default: any client'),
  claims: optional(v.record(v.string(), v.unknown()), 'Claims for this sign-in only; `null` removes a claim'),
  action: optional(v.picklist(nextLoginActions), 'Answer the sign-in with this error'),
};

/** The user who signs in next without a click. */
export const nextLoginOperations = [
  operation({
    name: 'nextLogin',
    method: 'POST',
    path: '/next-login',
    summary: 'Choose the user of the next sign-in, or its error: the sign-in needs no click',
    body: v.strictObject(nextLogin),
    checksBody: true,
    answers: {
      201: {
        description: 'The choice waits `expires_in` seconds for a sign-in',
        schema: v.object({ ...nextLogin, expires_in: v.number() }),
      },
    },
    async run({ body }, { server }) {
      const login = await addNextLogin(server, body);
      return jsonAnswer(201, { ...login, expires_in: nextLoginLifetime });
    },
  }),
];

const session = v.object({
  sid: v.string(),
  sub: v.string(),
  auth_time: described(v.number(), 'Unix seconds'),
  acr: v.string(),
  amr: v.array(v.string()),
  clients: described(v.array(v.string()), 'Clients that received a code or a token in this sign-in'),
});

/** Logins that are alive in some browser. */
export const sessionOperations = [
  operation({
    name: 'listSessions',
    method: 'GET',
    path: '/sessions',
    summary: 'List active sign-ins, newest first, at most 200',
    query: v.strictObject({ sub: optional(v.string(), 'Only sign-ins of this user') }),
    answers: { 200: { description: 'Sign-ins', schema: v.object({ sessions: v.array(session) }) } },
    run: async ({ query: { sub } }, { control }) => jsonAnswer(200, { sessions: await control.sessions(sub) }),
  }),
  operation({
    name: 'endSession',
    method: 'DELETE',
    path: '/sessions/{sid}',
    changes: true,
    summary: 'End a sign-in as a logout does: its tokens end, and clients are notified',
    answers: {
      200: { description: 'The sign-in has ended', schema: v.object({ sid: v.string(), ended: v.literal(true) }) },
      404: { description: 'No active sign-in has this `sid`' },
    },
    async run({ path: { sid = '' } }, { control }) {
      if (await control.endSession(sid)) return jsonAnswer(200, { sid, ended: true });
      const sids = (await control.sessions()).map(each => each.sid);
      throw unknownEntry('session', sid, sids);
    },
  }),
];
