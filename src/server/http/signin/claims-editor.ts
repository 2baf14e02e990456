import type { Emit } from '../../../base/events/event.ts';
import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { LoginPage } from '../../../protocol/endpoints/endpoint.ts';
import { previewLogin } from '../../../protocol/endpoints/preview-login.ts';
import type { ParsedObject } from '../../../protocol/json-parameter.ts';
import { lenientParameter, shorten } from '../../../protocol/parameters.ts';
import {
  type ClaimsFault,
  editableClaims,
  editedNames,
  type LoginClaims,
  loginClaims,
  onlyOfTheLogin,
  readTypedClaims,
  userAtLogin,
} from '../../../protocol/users/login-claims.ts';
import { findUser } from '../../../protocol/users/login-need.ts';
import type { TestUser } from '../../../protocol/users/user.ts';
import { unknownSubject } from './identify-user.ts';
import type { EditorState, LoginAgain } from './login-again.ts';
import type { SentLogin } from './login-form.ts';
import { howManyNames, madeUpPerson } from './made-up-person.ts';

/** The editor as it was sent, so that typed text is not lost. */
export function editorOf({ fields, claims, isComplete, keep }: SentLogin): EditorState {
  return { sub: lenientParameter(fields, 'sub')?.trim() ?? '', claims, isComplete, keep };
}

/** The claims that were typed: undefined if the editor was left empty. */
export function claimsIn({ claims }: SentLogin): { readonly claims?: ParsedObject } | { readonly fault: ClaimsFault } {
  return claims.trim() === '' ? {} : readTypedClaims(claims);
}

/** The editor, filled in with the claims of a user. */
export function fillIn(server: AuthorizationServer, form: SentLogin): LoginAgain {
  const { sub: typed } = editorOf(form);
  const user = findUser(server, typed);
  if (user === undefined) return { status: 400, notice: { word: 'unknownUser', values: { sub: shorten(typed, 60) } } };
  return { status: 200, editor: { sub: user.sub, ...filled(editableClaims(user)), keep: form.keep } };
}

/** The editor, filled in with an invented person. */
export function makeUp({ keep }: SentLogin): LoginAgain {
  const { sub, claims } = madeUpPerson(Math.floor(Math.random() * howManyNames), Math.floor(Math.random() * 1000));
  return { status: 200, editor: { sub, ...filled(claims), keep } };
}

function filled(claims: ParsedObject): Pick<EditorState, 'claims' | 'isComplete'> {
  return { claims: JSON.stringify(claims, null, 2), isComplete: true };
}

/** The tokens that this login would give. Starts no session and keeps no new user. */
export async function preview(
  server: AuthorizationServer,
  { client, request }: LoginPage,
  form: SentLogin,
): Promise<LoginAgain> {
  const editor = editorOf(form);
  const typed = claimsIn(form);
  if ('fault' in typed) return { status: 400, editor: { ...editor, fault: typed.fault } };
  const user = findUser(server, editor.sub) ?? server.users.draft(editor.sub);
  if (user === undefined) return { status: 400, notice: unknownSubject, typed: editor.sub, editor };
  const edited = typed.claims && loginClaims(user, typed.claims, form);
  const names = edited === undefined ? [] : editedNames(edited);
  const preview = await previewLogin(server, { client, asked: request, user, edited });
  return { status: 200, editor: { ...editor, preview, edited: names } };
}

/** Applies the claims of a form to the login, and to the record of the user if they are to be kept. */
export function applyClaims(
  server: AuthorizationServer,
  user: TestUser,
  form: SentLogin,
  claims: ParsedObject | undefined,
  emit: Emit,
): { readonly user: TestUser; readonly edited: LoginClaims | undefined } {
  const edited = claims && loginClaims(user, claims, form);
  if (form.keep === 'login') return { user, edited };
  const kept = userAtLogin(server.scopes, user, edited);
  if (user.isVisitor || kept !== user) tellSaved(user, emit);
  server.users.save(kept);
  return { user: kept, edited: edited && onlyOfTheLogin(edited) };
}

function tellSaved({ sub, isVisitor }: TestUser, emit: Emit): void {
  emit({
    type: 'configuration.changed',
    what: 'user',
    subject: sub,
    change: isVisitor ? 'created' : 'changed',
    members: isVisitor ? ['sub', 'claims'] : ['claims', 'access_token_claims'],
    by: 'login_screen',
  });
}
