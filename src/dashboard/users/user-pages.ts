import type { Request, Response, Router } from 'express';
import type { Change } from '../../base/events/change.ts';
import { isRecord } from '../../base/text/record.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { accountOf, userPath } from '../clients-and-users.ts';
import { faultText } from '../configure/fault-texts.ts';
import { type Removed, removedUsers } from '../configure/removed.ts';
import { areSecretsHidden } from '../configure/secrets.ts';
import type { Desk } from '../desk.ts';
import { changing, formOf } from '../form.ts';
import { textOf } from '../query.ts';
import { duplicateOf, newUserFaults, newUserMembers, nextPerson, typedNewUser } from './new-user.ts';
import { readUserForm, userFormAsTyped } from './user-form.ts';
import { usersPage } from './user-list.ts';
import { type UserPageParts, userPage } from './user-page.ts';
import { type PreviewChoice, userPreview } from './user-preview.ts';

/** Shared by the handlers of `/users`. */
interface Room {
  readonly desk: Desk;
  readonly removed: Removed;
}

/** `/users`: the list, and one user with their claims and a preview of their tokens. */
export function userPages(router: Router, desk: Desk): void {
  const room: Room = { desk, removed: removedUsers(desk) };

  router.get('/users', async (req, res) => {
    const done = desk.noticesFor(req).join(' ');
    const model = usersPage(desk, room.removed, { query: textOf(req.query.q), done });
    await desk.show(res, { template: 'users', title: 'Users', nav: 'users', model });
  });

  router.post(
    '/users',
    changing(desk, (typed, _req, res) => add(room, typed, res)),
  );

  router.get('/users/:id', async (req, res) => {
    const user = accountOf(desk, req.params.id);
    if (user === undefined) return noSuchUser(desk, res);
    await showUser(desk, req, res, { user, choice: choiceIn(req.query), done: desk.noticesFor(req) });
  });

  router.post(
    '/users/:id',
    changing<{ id: string }>(desk, async (typed, req, res) => {
      const user = accountOf(desk, req.params.id);
      if (user === undefined) return noSuchUser(desk, res);
      const act = actions[typed.get('action') ?? ''] ?? save;
      await act(room, user, typed, req, res);
    }),
  );

  router.get('/api/v1/users/:id/preview', (req, res) =>
    sendPreview(desk, req.params.id, choiceIn(req.query), undefined, res),
  );
  router.post('/api/v1/users/:id/preview', async (req, res) => {
    const typed = await formOf(req);
    await sendPreview(desk, req.params.id, choiceIn(Object.fromEntries(typed)), typed, res);
  });
}

function choiceIn({ client, scope }: Readonly<Record<string, unknown>>): PreviewChoice {
  return { client_id: textOf(client), scope: textOf(scope) };
}

/** The part of the page that a script replaces while somebody types. */
async function sendPreview(
  desk: Desk,
  sub: string,
  choice: PreviewChoice,
  typed: URLSearchParams | undefined,
  res: Response,
): Promise<void> {
  const user = accountOf(desk, sub);
  if (user === undefined) return void res.status(404).json({ error: 'not_found' });
  const read = typed === undefined ? undefined : readUserForm(userFormAsTyped(typed));
  const faults = read?.faults ?? {};
  const shown = read === undefined ? user : draftOf(user, read.members);
  const preview = Object.keys(faults).length > 0 ? undefined : await userPreview(desk, shown, choice);
  res.type('html').send(await desk.fragment('user-preview', { preview, faults, isDraft: typed !== undefined }));
}

/** The user with the unsaved claims of the form, for the preview only. */
function draftOf(user: TestUser, { claims, access_token_claims }: Readonly<Record<string, unknown>>): TestUser {
  const objectOr = (value: unknown, otherwise: TestUser['claims']) => (isRecord(value) ? value : otherwise);
  return {
    ...user,
    claims: objectOr(claims, user.claims),
    access_token_claims: objectOr(access_token_claims, user.access_token_claims),
  };
}

async function add(room: Room, typed: URLSearchParams, res: Response): Promise<void> {
  const { desk, removed } = room;
  const back = typed.get('restore');
  if (back !== null) return restore(room, back, res);
  if (typed.get('action') === 'make-up') return create(room, nextPerson(desk.accounts()), res);
  const quick = typedNewUser(typed);
  const changed = await desk.control.apply({ kind: 'user.create', members: newUserMembers(quick) }, 'dashboard');
  if (changed.ok) return leadTo(room, res, quick.sub, ['User created (in memory). They can log in now.']);
  const faults = newUserFaults(changed.faults);
  const model = usersPage(desk, removed, { query: '', done: '', quick: { ...quick, faults } });
  await desk.show(res, { template: 'users', title: 'Users', nav: 'users', model, status: 400 });
}

async function create(room: Room, members: Readonly<Record<string, unknown>>, res: Response): Promise<void> {
  const changed = await room.desk.control.apply({ kind: 'user.create', members }, 'dashboard');
  if (changed.ok) return leadTo(room, res, String(members.sub), ['User created (in memory). They can log in now.']);
  await room.desk.message(res, 400, {
    title: 'The user was not created',
    paragraphs: changed.faults.map(fault => `${fault.member}: ${faultText(fault)}`),
    links: [{ href: `${room.desk.base}/dashboard/users`, name: 'All users' }],
  });
}

async function restore(room: Room, sub: string, res: Response): Promise<void> {
  const members = room.removed.entryOf(sub);
  const change: Change = members === undefined ? { kind: 'user.revert', sub } : { kind: 'user.create', members };
  const changed = await room.desk.control.apply(change, 'dashboard');
  return changed.ok ? leadTo(room, res, sub, ['User restored.']) : noSuchUser(room.desk, res);
}

type Action = (room: Room, user: TestUser, typed: URLSearchParams, req: Request, res: Response) => Promise<void>;

const actions: Readonly<Record<string, Action>> = {
  async delete({ desk, removed }, { sub }, _typed, _req, res) {
    removed.remember(sub, desk.control.userEntry(sub));
    await desk.control.apply({ kind: 'user.delete', sub }, 'dashboard');
    const done = `${sub} was deleted (in memory). Their sessions have ended and their tokens are revoked.`;
    desk.leadTo(res, '/dashboard/users', [done]);
  },
  async duplicate(room, { sub }, _typed, _req, res) {
    const { desk } = room;
    await create(room, duplicateOf(desk.control.userEntry(sub) ?? { sub }, desk.accounts()), res);
  },
  async revert(room, { sub }, _typed, _req, res) {
    await room.desk.control.apply({ kind: 'user.revert', sub }, 'dashboard');
    leadTo(room, res, sub, ['Reverted to the configuration.']);
  },
  async 'end-session'(room, { sub }, typed, _req, res) {
    const ended = await room.desk.control.endSession(typed.get('sid') ?? '');
    leadTo(room, res, sub, [ended ? 'Session ended. Its clients were notified.' : 'This session had already ended.']);
  },
  async preview({ desk }, user, typed, req, res) {
    const form = userFormAsTyped(typed);
    const { members, faults } = readUserForm(form);
    const choice = choiceIn(Object.fromEntries(typed));
    await showUser(desk, req, res, { user, draft: draftOf(user, members), form, faults, choice });
  },
};

const save: Action = async (room, user, typed, req, res) => {
  const { desk } = room;
  const form = userFormAsTyped(typed);
  const { members, faults, place } = readUserForm(form);
  const choice = choiceIn(Object.fromEntries(typed));
  const isReadable = Object.keys(faults).length === 0;
  if (!isReadable) return showUser(desk, req, res, { user, form, faults, choice }, 400);
  const changed = await desk.control.apply({ kind: 'user.patch', sub: user.sub, members }, 'dashboard');
  if (!changed.ok) return showUser(desk, req, res, { user, form, faults: place(changed.faults), choice }, 400);
  leadTo(room, res, user.sub, ['Saved in memory. Takes effect with the next token.'], choice);
};

function leadTo(
  { desk }: Room,
  res: Response,
  sub: string,
  sentences: readonly string[],
  { client_id, scope }: PreviewChoice = { client_id: '', scope: '' },
): void {
  const query = new URLSearchParams();
  if (client_id !== '') query.set('client', client_id);
  if (scope !== '') query.set('scope', scope);
  desk.leadTo(res, query.size === 0 ? userPath(sub) : `${userPath(sub)}?${query}`, sentences);
}

async function showUser(
  desk: Desk,
  req: Request,
  res: Response,
  parts: Omit<UserPageParts, 'isHidden'>,
  status = 200,
): Promise<void> {
  const model = await userPage(desk, { ...parts, isHidden: areSecretsHidden(desk, req) });
  await desk.show(res, { template: 'user', title: parts.user.sub, nav: 'users', model, status });
}

function noSuchUser(desk: Desk, res: Response): Promise<void> {
  return desk.message(res, 404, {
    title: 'No such user',
    paragraphs: ['No user has this sub. They never existed, were deleted, or were removed by a reset.'],
    links: [{ href: `${desk.base}/dashboard/users`, name: 'All users' }],
  });
}
