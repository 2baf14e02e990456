import { displayName, type TestUser } from '../../protocol/users/user.ts';
import { userTags } from '../../server/http/signin/user-cards.ts';
import { clientPath, userPath } from '../clients-and-users.ts';
import type { FieldTexts } from '../configure/fault-texts.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { formOfUser, type UserForm } from './user-form.ts';
import { standingOfUser } from './user-list.ts';
import { loginClients, type PreviewChoice, userPreview } from './user-preview.ts';

export interface UserPageParts {
  readonly user: TestUser;
  /** The user with unsaved claims. */
  readonly draft?: TestUser | undefined;
  readonly form?: UserForm;
  readonly faults?: FieldTexts;
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

/** The form of a user, with a preview of their tokens. */
export async function userPage(desk: Desk, parts: UserPageParts) {
  const { user, draft, form, faults = {}, done = [], choice, isHidden } = parts;
  const { control, base } = desk;
  const { sub } = user;
  const standing = standingOfUser(desk, user);
  const preview = Object.keys(faults).length > 0 ? undefined : await userPreview(desk, draft ?? user, choice);
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
    // by field; `''` for the whole user
    faults,
    wrong: Object.entries(labels)
      .filter(([name]) => faults[name] !== undefined)
      .map(([name, label]) => ({ id: `f-${name}`, label })),
    done,
    lines: {
      typescript: mask(control.configurationLines('user', sub)),
      json: mask(control.configurationLines('user', sub, 'json')),
    },
    clients: loginClients(desk).map(({ client_id, scope }) => ({ id: client_id, scope })),
    choice: { client_id: preview?.client_id ?? choice.client_id, scope: preview?.scope ?? choice.scope },
    preview,
    // whether the preview is of unsaved claims
    isDraft: draft !== undefined,
    sessions: await sessionRows(desk, sub),
    query: encodeURIComponent(`user:${/\s/.test(sub) ? `"${sub}"` : sub}`),
  };
}

async function sessionRows({ control, base, clock }: Desk, sub: string) {
  const now = clock();
  const sessions = await control.sessions(sub);
  return sessions.map(({ sid, auth_time, acr, amr, clients }) => ({
    sid,
    since: momentOf(auth_time, now),
    how: `acr ${acr}, amr ${amr.join(' ')}`,
    clients: clients.map(id => ({ id, href: base + clientPath(id) })),
  }));
}
