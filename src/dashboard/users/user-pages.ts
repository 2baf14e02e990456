import type { Request, Response, Router } from 'express';
import type { Change, ChangeProblem } from '../../base/events/change.ts';
import { isRecord } from '../../base/text/record.ts';
import { readJsonObject } from '../../protocol/json-text.ts';
import { displayName, type TestUser } from '../../protocol/users/user.ts';
import { sendHtml } from '../../server/http/send-html.ts';
import { userTags } from '../../server/http/signin/user-cards.ts';
import { accountOf, clientPath, userPath } from '../clients-and-users.ts';
import { byField, changing, type FieldTexts, formOf, problemText } from '../form.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';
import { areSecretsHidden, textOf } from '../query.ts';
import { type Removed, removedUsers } from '../removed.ts';
import { rowAddress, savedWords, saveRow } from '../row-form.ts';
import {
  duplicateOf,
  newUserMembers,
  newUserProblems,
  nextPerson,
  standingOfUser,
  typedNewUser,
  usersPage,
} from './user-list.ts';
import { loginClients, type PreviewChoice, userPreview } from './user-preview.ts';
import { readUserRow, userRowProblems } from './user-row.ts';

interface UserContext extends PageContext {
  readonly removed: Removed;
}

/** `/users`: the list, and one user with their claims and a preview of their tokens. */
export function userPages(router: Router, pages: PageContext): void {
  const context: UserContext = { ...pages, removed: removedUsers(pages) };

  router.get('/users', async (req, res) => {
    const done = context.noticesFor(req).join(' ');
    const id = textOf(req.query.open);
    const query = textOf(req.query.q);
    await showUsers(context, res, id === '' ? { query, done } : { query, opened: { id, done } });
  });

  router.post(
    '/users',
    changing(context, (typed, _req, res) => add(context, typed, res)),
  );

  router.get('/users/:id', async (req, res) => {
    const user = accountOf(context, req.params.id);
    if (user === undefined) return noSuchUser(context, res);
    await showUser(context, req, res, { user, choice: choiceIn(req.query), done: context.noticesFor(req) });
  });

  router.post(
    '/users/:id',
    changing<{ id: string }>(context, async (typed, req, res) => {
      const user = accountOf(context, req.params.id);
      if (user === undefined) return noSuchUser(context, res);
      const act = actions[typed.get('action') ?? ''] ?? save;
      await act(context, user, typed, req, res);
    }),
  );

  router.get('/api/v1/users/:id/preview', (req, res) =>
    sendPreview(context, req.params.id, choiceIn(req.query), undefined, res),
  );
  router.post('/api/v1/users/:id/preview', async (req, res) => {
    const typed = await formOf(req);
    await sendPreview(context, req.params.id, choiceIn(Object.fromEntries(typed)), typed, res);
  });
}

function choiceIn({ client, scope }: Readonly<Record<string, unknown>>): PreviewChoice {
  return { client_id: textOf(client), scope: textOf(scope) };
}

async function sendPreview(
  context: PageContext,
  sub: string,
  choice: PreviewChoice,
  typed: URLSearchParams | undefined,
  res: Response,
): Promise<void> {
  const user = accountOf(context, sub);
  if (user === undefined) return void res.status(404).json({ error: 'not_found' });
  const read = typed === undefined ? undefined : readUserForm(userFormAsTyped(typed));
  const problems = read?.problems ?? {};
  const shown = read === undefined ? user : draftOf(user, read.members);
  const preview = Object.keys(problems).length > 0 ? undefined : await userPreview(context, shown, choice);
  sendHtml(res, await context.fragment('user-preview', { preview, problems, isDraft: typed !== undefined }));
}

function draftOf(user: TestUser, { claims, access_token_claims }: Readonly<Record<string, unknown>>): TestUser {
  const objectOr = (value: unknown, otherwise: TestUser['claims']) => (isRecord(value) ? value : otherwise);
  return {
    ...user,
    claims: objectOr(claims, user.claims),
    access_token_claims: objectOr(access_token_claims, user.access_token_claims),
  };
}

async function add(context: UserContext, typed: URLSearchParams, res: Response): Promise<void> {
  const back = typed.get('restore');
  if (back !== null) return restore(context, back, res);
  if (typed.get('action') === 'make-up') return create(context, nextPerson(context.accounts()), res);
  const quick = typedNewUser(typed);
  const changed = await context.control.apply({ kind: 'user.create', members: newUserMembers(quick) }, 'dashboard');
  if (changed.ok) return leadTo(context, res, quick.sub, ['User created (in memory). They can sign in now.']);
  const problems = newUserProblems(changed.problems);
  await showUsers(context, res, { query: '', quick: { ...quick, problems } }, 400);
}

async function showUsers(
  context: UserContext,
  res: Response,
  shown: Parameters<typeof usersPage>[2],
  status = 200,
): Promise<void> {
  const model = { ...usersPage(context, context.removed, shown), sheet: 'dashboard-page.css' };
  await context.show(res, { template: 'users', title: 'Users', nav: 'users', model, status });
}

async function create(context: UserContext, members: Readonly<Record<string, unknown>>, res: Response): Promise<void> {
  const changed = await context.control.apply({ kind: 'user.create', members }, 'dashboard');
  if (changed.ok) return leadTo(context, res, String(members.sub), ['User created (in memory). They can sign in now.']);
  await context.message(res, 400, {
    title: 'The user was not created',
    paragraphs: changed.problems.map(problem => `${problem.member}: ${problemText(problem)}`),
    links: [{ href: `${context.base}/dashboard/users`, name: 'All users' }],
  });
}

async function restore(context: UserContext, sub: string, res: Response): Promise<void> {
  const members = context.removed.entryOf(sub);
  const change: Change = members === undefined ? { kind: 'user.revert', sub } : { kind: 'user.create', members };
  const changed = await context.control.apply(change, 'dashboard');
  return changed.ok ? leadTo(context, res, sub, ['User restored.']) : noSuchUser(context, res);
}

type Action = (
  context: UserContext,
  user: TestUser,
  typed: URLSearchParams,
  req: Request,
  res: Response,
) => Promise<void>;

const actions: Readonly<Record<string, Action>> = {
  async delete(context, { sub }, _typed, _req, res) {
    context.removed.remember(sub, context.control.userEntry(sub));
    await context.control.apply({ kind: 'user.delete', sub }, 'dashboard');
    const done = `${sub} was deleted (in memory). Their sessions have ended and their tokens are revoked.`;
    context.leadTo(res, '/dashboard/users', [done]);
  },
  async row(context, user, typed, _req, res) {
    const { sub } = user;
    const query = typed.get('q') ?? '';
    const read = readUserRow(user, typed);
    const changed = await saveRow(context, read, { kind: 'user.patch', sub, members: read.members });
    if (changed.ok) {
      const done = [savedWords(sub, read.names, 'token'), ...changed.notes];
      return context.leadTo(res, rowAddress('/dashboard/users', query, sub), done);
    }
    const opened = { id: sub, typed, problems: userRowProblems(changed.problems) };
    await showUsers(context, res, { query, opened }, 400);
  },
  async duplicate(context, { sub }, _typed, _req, res) {
    await create(context, duplicateOf(context.control.userEntry(sub) ?? { sub }, context.accounts()), res);
  },
  async revert(context, { sub }, _typed, _req, res) {
    await context.control.apply({ kind: 'user.revert', sub }, 'dashboard');
    leadTo(context, res, sub, ['Reverted to the configuration.']);
  },
  async 'end-session'(context, { sub }, typed, _req, res) {
    const ended = await context.control.endSession(typed.get('sid') ?? '');
    leadTo(context, res, sub, [
      ended ? 'Session ended. Its clients were notified.' : 'This session had already ended.',
    ]);
  },
  async preview(context, user, typed, req, res) {
    const form = userFormAsTyped(typed);
    const { members, problems } = readUserForm(form);
    const choice = choiceIn(Object.fromEntries(typed));
    await showUser(context, req, res, { user, draft: draftOf(user, members), form, problems, choice });
  },
};

const save: Action = async (context, user, typed, req, res) => {
  const form = userFormAsTyped(typed);
  const { members, problems, place } = readUserForm(form);
  const choice = choiceIn(Object.fromEntries(typed));
  const isReadable = Object.keys(problems).length === 0;
  if (!isReadable) return showUser(context, req, res, { user, form, problems, choice }, 400);
  const changed = await context.control.apply({ kind: 'user.patch', sub: user.sub, members }, 'dashboard');
  if (!changed.ok) return showUser(context, req, res, { user, form, problems: place(changed.problems), choice }, 400);
  leadTo(context, res, user.sub, ['Saved in memory. Takes effect with the next token.'], choice);
};

function leadTo(
  context: PageContext,
  res: Response,
  sub: string,
  sentences: readonly string[],
  { client_id, scope }: PreviewChoice = { client_id: '', scope: '' },
): void {
  const query = new URLSearchParams();
  if (client_id !== '') query.set('client', client_id);
  if (scope !== '') query.set('scope', scope);
  context.leadTo(res, query.size === 0 ? userPath(sub) : `${userPath(sub)}?${query}`, sentences);
}

async function showUser(
  context: PageContext,
  req: Request,
  res: Response,
  parts: Omit<UserPageParts, 'isHidden'>,
  status = 200,
): Promise<void> {
  const model = await userPage(context, { ...parts, isHidden: areSecretsHidden(context, req) });
  await context.show(res, { template: 'user', title: parts.user.sub, nav: 'users', model, status });
}

function noSuchUser(context: PageContext, res: Response): Promise<void> {
  return context.message(res, 404, {
    title: 'No such user',
    paragraphs: ['No user has this sub. They never existed, were deleted, or were removed by a reset.'],
    links: [{ href: `${context.base}/dashboard/users`, name: 'All users' }],
  });
}

interface UserPageParts {
  readonly user: TestUser;
  readonly draft?: TestUser | undefined;
  readonly form?: UserForm;
  readonly problems?: FieldTexts;
  readonly done?: readonly string[];
  readonly choice: PreviewChoice;
  readonly isHidden: boolean;
}

const labels = {
  username: 'Username',
  password: 'Password',
  claims: 'Claims',
  access_token_claims: 'Claims of access tokens',
};

async function userPage(context: PageContext, parts: UserPageParts) {
  const { user, draft, form, problems = {}, done = [], choice, isHidden } = parts;
  const { control, base } = context;
  const { sub } = user;
  const standing = standingOfUser(context, user);
  const preview = Object.keys(problems).length > 0 ? undefined : await userPreview(context, draft ?? user, choice);
  const mask = (text: string) =>
    isHidden ? text.replace(/^(\s*"?password(?:_hash)?"?: ).*?(,?)$/gm, '$1"…"$2') : text;
  return {
    sub,
    href: base + userPath(sub),
    name: displayName(user),
    tags: userTags(user),
    standing,
    isChanged: standing !== 'configured',
    canRevert: standing === 'changed',
    isHidden,
    form: form ?? formOfUser(sub, control.userEntry(sub) ?? {}),
    hasHash: user.password_hash !== undefined,
    problems,
    wrong: Object.entries(labels)
      .filter(([name]) => problems[name] !== undefined)
      .map(([name, label]) => ({ id: `f-${name}`, label })),
    done,
    lines: {
      typescript: mask(control.configurationLines('user', sub)),
      json: mask(control.configurationLines('user', sub, 'json')),
    },
    clients: loginClients(context).map(({ client_id, scope }) => ({ id: client_id, scope })),
    choice: { client_id: preview?.client_id ?? choice.client_id, scope: preview?.scope ?? choice.scope },
    preview,
    isDraft: draft !== undefined,
    sessions: await sessionRows(context, sub),
    query: encodeURIComponent(`user:${/\s/.test(sub) ? `"${sub}"` : sub}`),
  };
}

async function sessionRows({ control, base, clock }: PageContext, sub: string) {
  const now = clock();
  const sessions = await control.sessions(sub);
  return sessions.map(({ sid, auth_time, acr, amr, clients }) => ({
    sid,
    since: momentOf(auth_time, now),
    how: `acr ${acr}, amr ${amr.join(' ')}`,
    clients: clients.map(id => ({ id, href: base + clientPath(id) })),
  }));
}

type Members = Readonly<Record<string, unknown>>;

type UserForm = ReturnType<typeof formOfUser>;

const objects = ['claims', 'access_token_claims'] as const;

/** The form of a user; `entry` has only the members that are configured, without defaults. */
export function formOfUser(sub: string, entry: Members) {
  const text = (name: string) => JSON.stringify(entry[name] ?? {}, null, 2);
  return {
    username: typeof entry.username === 'string' ? entry.username : sub,
    password: typeof entry.password === 'string' ? entry.password : '',
    claims: text('claims'),
    access_token_claims: text('access_token_claims'),
  };
}

function userFormAsTyped(typed: URLSearchParams) {
  return {
    username: typed.get('username') ?? '',
    password: typed.get('password') ?? '',
    claims: typed.get('claims') ?? '',
    access_token_claims: typed.get('access_token_claims') ?? '',
  };
}

/** The members of a user from the form, and the problems of its JSON by field. */
export function readUserForm(form: UserForm) {
  const read = objects.map(name => [name, readJsonObject(form[name].trim() === '' ? '{}' : form[name], 20)] as const);
  const problems = read.flatMap(([name, found]) =>
    'reason' in found ? [[name, `Line ${found.line}: ${found.reason}.`] as const] : [],
  );
  const values = read.flatMap(([name, found]) => ('value' in found ? [[name, found.value] as const] : []));
  const lines = new Map(read.flatMap(([name, found]) => ('value' in found ? [[name, found.lines] as const] : [])));
  return {
    members: { username: form.username.trim() || null, password: form.password || null, ...Object.fromEntries(values) },
    problems: byField(problems),
    // texts of other problems by field, each with the line of its claim
    place: (found: readonly ChangeProblem[]) => placed(found, lines),
  };
}

function placed(
  problems: readonly ChangeProblem[],
  lines: ReadonlyMap<string, ReadonlyMap<string, number>>,
): FieldTexts {
  const texts = problems.map(problem => {
    const [, field = '', claim] = /^([a-z_]*)(?:\.([^.[]+)|\["([^"]*)"\])?/.exec(problem.member) ?? [];
    const line = claim === undefined ? undefined : lines.get(field)?.get(claim);
    return [field, line === undefined ? problemText(problem) : `Line ${line}: ${problemText(problem)}`] as const;
  });
  return byField(texts);
}
