import { recordIn } from '../../base/text/record.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { parseScope } from '../../protocol/scope.ts';
import type { TokenRule } from '../../protocol/token-rule.ts';
import { type Diff, diffOf } from '../claims/diff.ts';
import { type LikeToken, ruleLike, rulesWith } from '../claims/like-token.ts';
import { registeredClient } from '../clients-and-users.ts';
import type { PageContext } from '../page.ts';
import { tokenClient } from './sign-again.ts';

/** The form that asks for tokens like a pasted one. */
export interface LikeForm {
  /** The claims of the pasted token, as JSON. */
  readonly claims: string;
  readonly client: string;
  readonly clients: readonly string[];
  readonly kind: Kind;
}

type Kind = 'accessToken' | 'idToken';

/** The change to accept. */
export interface LikePage extends LikeForm, Pick<LikeToken, 'replaced' | 'left'> {
  /** The user whose login the preview is of; empty for a client that acts for itself. */
  readonly user: string;
  /** Absent if nothing would change. */
  readonly rule?: string;
  readonly diff: Diff;
  /** The rule is in effect. */
  readonly isDone: boolean;
  readonly problems: readonly string[];
}

/** Whether this dashboard may change rules. */
export function canChangeRules({ access, registered }: PageContext): boolean {
  return access !== 'readonly' && [...registered()].length > 0;
}

/** The form for a decoded token. */
export function likeForm(claims: ParsedObject, isId: boolean, context: PageContext): LikeForm {
  return {
    claims: JSON.stringify(claims),
    client: tokenClient(claims, context),
    clients: [...context.registered()].slice(0, mostClients).map(({ client_id }) => client_id),
    kind: isId ? 'idToken' : 'accessToken',
  };
}

/** A menu with more would be of no use. */
const mostClients = 500;

/** The difference that a rule would make to the tokens of a client. Nothing is changed. */
export async function likeThis(context: PageContext, typed: URLSearchParams): Promise<LikePage> {
  const form = formOf(context, typed);
  const foreign = recordIn(form.claims);
  const empty = { ...form, user: '', diff: diffOf({}, {}), replaced: [], left: [], isDone: false };
  if (foreign === undefined)
    return { ...empty, problems: ['The claims must be a JSON object, such as {"sub": "alice"}.'] };
  const before = await previewOf(context, form);
  if (before === undefined) return { ...empty, problems: ['Choose a client that exists.'] };
  const { rule, replaced, left } = ruleLike(foreign, { ...form, ...before });
  if (rule === undefined) return { ...empty, user: before.name, replaced, left, problems: [] };
  const after = await previewOf(context, form, rulesWith(context.control.tokenRules()?.templates ?? [], rule));
  const diff = diffOf(before.now, after?.now ?? before.now);
  return { ...empty, user: before.name, replaced, left, diff, rule: JSON.stringify(rule), problems: [] };
}

/** Puts the rule into effect, or says why not. */
export async function acceptRule(context: PageContext, typed: URLSearchParams): Promise<LikePage> {
  const rule = typed.get('rule') ?? '';
  const page = { ...formOf(context, typed), user: '', diff: diffOf({}, {}), replaced: [], left: [], rule };
  const parsed = recordIn(rule);
  if (parsed === undefined) return { ...page, isDone: false, problems: ['The rule must be a JSON object.'] };
  try {
    // checked below, as each rule that comes from outside
    const rules = rulesWith(context.control.tokenRules()?.templates ?? [], parsed as unknown as TokenRule);
    await context.control.replaceTokenRules(rules, 'dashboard');
    return { ...page, isDone: true, problems: [] };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { problems = [] } = error.details;
    const sentences = problems.map(({ member, expected }) => `${member}: expected ${expected}`);
    return { ...page, isDone: false, problems: sentences.length > 0 ? sentences : [error.description] };
  }
}

function formOf(context: PageContext, typed: URLSearchParams): LikeForm {
  const claims = typed.get('claims') ?? '';
  const kind = typed.get('kind') === 'idToken' ? 'idToken' : 'accessToken';
  return { ...likeForm({}, false, context), claims, client: typed.get('client') ?? '', kind };
}

interface Now {
  readonly now: ParsedObject;
  readonly user?: ParsedObject;
  readonly name: string;
}

/** The claims of a token of the first user, or of the client itself where no user can sign in to it. */
async function previewOf(
  context: PageContext,
  { client: id, kind }: LikeForm,
  rules?: readonly TokenRule[],
): Promise<Now | undefined> {
  const client = registeredClient(context, id);
  if (client === undefined) return undefined;
  const isService = client.grant_types.every(grant => grant === 'client_credentials');
  const [user] = isService ? [] : context.accounts();
  const scopes = parseScope(client.scope);
  const preview = await context.control.preview(client, user, scopes, rules);
  const now = (kind === 'idToken' ? preview.id : preview.access) ?? {};
  return { now, name: user?.username ?? '', ...(user !== undefined && { user: { ...user.claims, sub: user.sub } }) };
}
