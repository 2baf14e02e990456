import type { Response, Router } from 'express';
import type { Change, ChangeProblem } from '../../base/events/change.ts';
import { readJsonObject } from '../../protocol/json-text.ts';
import { parseScope, type ScopeDefinition } from '../../protocol/scope.ts';
import { registeredClient } from '../clients-and-users.ts';
import { byField, changing, type FieldTexts, problemText } from '../form.ts';
import type { PageContext } from '../page.ts';
import { textOf } from '../query.ts';
import { createRemoved, type Removed } from '../removed.ts';
import {
  newScopeForm,
  type ScopeFields,
  scopeForm,
  scopeNamed,
  scopePath,
  scopesPage,
  scopeView,
} from './scope-view.ts';

interface ScopeContext extends PageContext {
  readonly removed: Removed;
}

/** `/scopes`: the list, and one scope with its words and claims and the clients that may ask for it. */
export function scopePages(router: Router, pages: PageContext): void {
  const removed = createRemoved(
    pages.scopes.map(({ name }) => name),
    () => pages.control.ids('scope'),
  );
  const context: ScopeContext = { ...pages, removed };

  router.get('/scopes', async (req, res) => {
    const done = context.noticesFor(req).join(' ');
    const model = scopesPage(context, { query: textOf(req.query.q), done, removed: removed.ids() });
    await context.show(res, { template: 'scopes', title: 'Scopes', nav: 'scopes', model });
  });
  router.post(
    '/scopes',
    changing(context, (typed, _req, res) => add(context, typed, res)),
  );
  router.get('/scopes/:name', async (req, res) => {
    const scope = scopeNamed(context, req.params.name);
    await (scope === undefined
      ? noSuchScope(context, res)
      : showScope(context, res, { scope, done: context.noticesFor(req) }));
  });
  router.post(
    '/scopes/:name',
    changing<{ name: string }>(context, async (typed, req, res) => {
      const scope = scopeNamed(context, req.params.name);
      if (scope === undefined) return noSuchScope(context, res);
      await (actions[typed.get('action') ?? ''] ?? save)(context, scope, typed, res);
    }),
  );
}

async function add(context: ScopeContext, typed: URLSearchParams, res: Response): Promise<void> {
  const back = typed.get('restore');
  if (back !== null) return restore(context, back, res);
  const form = newScopeForm(typed);
  const name = form.name.trim();
  const members = { name, ...describedAs(form.description), ...listedAs(form.claims) };
  const changed = await context.control.apply({ kind: 'scope.create', members }, 'dashboard');
  if (changed.ok)
    return leadTo(context, res, name, 'Scope created (in memory). Let the clients ask for it that need it.');
  const problems = textsOf(changed.problems);
  const model = scopesPage(context, { query: '', done: '', removed: context.removed.ids(), form, problems });
  await context.show(res, { template: 'scopes', title: 'Scopes', nav: 'scopes', model, status: 400 });
}

async function restore(context: ScopeContext, name: string, res: Response): Promise<void> {
  const members = context.removed.entryOf(name);
  const change: Change = members === undefined ? { kind: 'scope.revert', name } : { kind: 'scope.create', members };
  const changed = await context.control.apply(change, 'dashboard');
  return changed.ok ? leadTo(context, res, name, 'Scope restored.') : noSuchScope(context, res);
}

type Action = (context: ScopeContext, scope: ScopeDefinition, typed: URLSearchParams, res: Response) => Promise<void>;

const save: Action = async (context, scope, typed, res) => {
  const form: ScopeFields = {
    description: typed.get('description') ?? '',
    claims: typed.get('claims') ?? '',
    access_token_claims: typed.get('access_token_claims') ?? '',
  };
  const read = readJsonObject(form.access_token_claims.trim() === '' ? '{}' : form.access_token_claims, 20);
  if ('reason' in read) {
    const problems = { access_token_claims: [`Line ${read.line}: ${read.reason}.`] };
    return showScope(context, res, { scope, form, problems }, 400);
  }
  const members = { description: null, ...describedAs(form.description), claims: words(form.claims) };
  const change = { ...members, access_token_claims: read.value };
  const changed = await context.control.apply({ kind: 'scope.patch', name: scope.name, members: change }, 'dashboard');
  if (!changed.ok) return showScope(context, res, { scope, form, problems: textsOf(changed.problems) }, 400);
  leadTo(context, res, scope.name, 'Saved in memory. Takes effect with the next token.');
};

const actions: Readonly<Record<string, Action>> = {
  async delete(context, scope, _typed, res) {
    const { name } = scope;
    const entry = context.control.entry('scope', name);
    const changed = await context.control.apply({ kind: 'scope.delete', name }, 'dashboard');
    if (!changed.ok) {
      return showScope(context, res, { scope, problems: { '': changed.problems.map(problemText) } }, 400);
    }
    context.removed.remember(name, entry);
    context.leadTo(res, '/dashboard/scopes', [`${name} was deleted (in memory).`]);
  },
  async revert(context, { name }, _typed, res) {
    await context.control.apply({ kind: 'scope.revert', name }, 'dashboard');
    leadTo(context, res, name, 'Reverted to the configuration.');
  },
  async allow(context, scope, typed, res) {
    const client = registeredClient(context, typed.get('client') ?? '');
    if (client === undefined) return noSuchScope(context, res);
    const { client_id } = client;
    const members = { scope: [...parseScope(client.scope), scope.name].join(' ') };
    const changed = await context.control.apply({ kind: 'client.patch', client_id, members }, 'dashboard');
    if (changed.ok) return leadTo(context, res, scope.name, `${client_id} may ask for ${scope.name} from now on.`);
    await showScope(context, res, { scope, problems: { '': changed.problems.map(problemText) } }, 400);
  },
};

function words(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function describedAs(description: string) {
  return description.trim() === '' ? {} : { description: description.trim() };
}

function listedAs(claims: string) {
  const names = words(claims);
  return names.length === 0 ? {} : { claims: names };
}

/** `claims[0]` belongs to the field `claims`. */
function textsOf(problems: readonly ChangeProblem[]): FieldTexts {
  return byField(problems.map(problem => [/^[a-z_]*/.exec(problem.member)?.[0] ?? '', problemText(problem)]));
}

interface Shown {
  readonly scope: ScopeDefinition;
  readonly form?: ScopeFields;
  readonly problems?: FieldTexts;
  readonly done?: readonly string[];
}

async function showScope(context: PageContext, res: Response, shown: Shown, status = 200): Promise<void> {
  const { scope, form = scopeForm(scope), problems = {}, done = [] } = shown;
  const model = { ...scopeView(context, scope, form, problems), done };
  await context.show(res, { template: 'scope', title: scope.name, nav: 'scopes', model, status });
}

function leadTo(context: PageContext, res: Response, name: string, sentence: string): void {
  context.leadTo(res, scopePath(name), [sentence]);
}

function noSuchScope(context: PageContext, res: Response): Promise<void> {
  return context.message(res, 404, {
    title: 'No such scope',
    paragraphs: ['No scope has this name. It never existed, was deleted, or was removed by a reset.'],
    links: [{ href: `${context.base}/dashboard/scopes`, name: 'All scopes' }],
  });
}
