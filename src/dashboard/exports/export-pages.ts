import type { Request, Response, Router } from 'express';
import type { SandboxEvent } from '../../base/events/event.ts';
import { isRecord } from '../../base/text/record.ts';
import { flatMapInPieces, inTurns, type Pieces, textInTurns } from '../../base/turns.ts';
import { type Export, exportFlows, exportRequests, exportSession } from '../../record/flows/exports/export.ts';
import { asHar } from '../../record/flows/exports/har.ts';
import { asJson, asNdjson } from '../../record/flows/exports/json.ts';
import { asMarkdown, mermaidOf } from '../../record/flows/exports/markdown.ts';
import type { Flow } from '../../record/flows/flow.ts';
import { redacted, secrecyOf } from '../../record/flows/redaction-text.ts';
import { explainedRequest } from '../../record/problems/explain.ts';
import type { Explanation } from '../../record/problems/problem.ts';
import { sendText } from '../../server/http/send-text.ts';
import { ownOriginOnly } from '../own-origin.ts';
import type { PageContext } from '../page.ts';
import { sessionPage } from './session-page.ts';

interface File {
  readonly extension: string;
  readonly type: string;
  make(exported: Export, context: PageContext): AsyncIterable<string>;
}

const files = {
  json: { extension: 'json', type: 'application/json', make: sessionJson },
  ndjson: { extension: 'ndjson', type: 'application/x-ndjson', make: exported => textInTurns(asNdjson(exported)) },
  har: {
    extension: 'har',
    type: 'application/json',
    make: (exported, context) => textInTurns(asHar(exported, context.version)),
  },
  html: {
    extension: 'html',
    type: 'text/html',
    make: (exported, context) => sessionPage(exported, context, context.fragment),
  },
  mermaid: {
    extension: 'mmd',
    type: 'text/plain',
    make: (exported, { events }) => textInTurns(mermaidOf(exported, events)),
  },
  markdown: {
    extension: 'md',
    type: 'text/markdown',
    make: (exported, { events }) => textInTurns(asMarkdown(exported, events)),
  },
} satisfies Readonly<Record<string, File>>;

/** `/flows/:id/export/<format>` for one flow, `/export/<format>` for all; secrets are left out unless `?secrets=include`. */
export function exportPages(router: Router, context: PageContext): void {
  // a long history takes a while to write, so links from other sites are refused
  router.use(['/export', '/flows/:id/export', '/problems/:id/export'], ownOriginOnly(context.events));
  router.get('/flows/:id/export/:format', async (req, res) => {
    const flow = context.flows.find(req.params.id);
    const file = fileOf(req.params.format);
    if (flow === undefined || file === undefined) return context.forgotten(res, 'flow');
    const exported = await inTurns(exportFlows([flow], optionsOf(req, context)));
    await send(res, `grantbox-${flow.id}`, file, { exported, context });
  });

  router.get('/problems/:id/export/json', async (req, res) => {
    const shared = sharedFile(context, req.params.id);
    if (shared === undefined) return context.forgotten(res, 'problem');
    const exported = await inTurns(exportRequests(shared.requestIds, shared.flows, optionsOf(req, context)));
    await send(res, `grantbox-${shared.id}`, files.json, { exported, context });
  });

  router.get('/export/:format', async (req, res) => {
    const file = fileOf(req.params.format);
    if (file === undefined) return context.forgotten(res, 'export');
    const exported = await inTurns(exportSession(context.flows.newestFirst(), optionsOf(req, context)));
    await send(res, 'grantbox-session', file, { exported, context });
  });
}

function fileOf(format: string): File | undefined {
  return new Map<string, File>(Object.entries(files)).get(format);
}

async function* sessionJson(exported: Export, context: PageContext): AsyncGenerator<string, void, void> {
  const problems = await inTurns(problemsIn(context, exported));
  const setup = await inTurns(setupOf(context, exported, await context.settings()));
  yield* textInTurns(asJson(exported, { problems, setup }));
}

function optionsOf({ query }: Request, { events, issuer, clock }: PageContext) {
  const secrets = query.secrets === 'include' ? 'include' : 'redact';
  return { events, issuer, now: clock(), secrets } as const;
}

async function send(
  res: Response,
  name: string,
  { extension, type, make }: File,
  { exported, context }: { exported: Export; context: PageContext },
): Promise<void> {
  // an attachment, because it quotes untrusted requests and must never render as a page of ours
  res.set('Content-Disposition', `attachment; filename="${name}.${extension}"`);
  await sendText(res.type(`${type}; charset=utf-8`), make(exported, context));
}

const mostFlows = 20;

const mostSearched = 200;

function isOf(client: string | undefined): (flow: Flow) => boolean {
  return ({ client_id, kind }) => client !== undefined && client_id === client && kind !== 'setup';
}

/**
 * The content of the file that *Share* on a page of a problem downloads: the newest flows with the problem, and its requests without a
 * flow; undefined if the history does not have the problem.
 */
function sharedFile(context: PageContext, id: string) {
  const explained = explainedRequest(context, id);
  if (explained === undefined) return undefined;
  const { problem, requestId } = explained;
  const occurrences = [...new Set([requestId, ...(problem?.requestIds ?? [])])];
  // a failure without a refusal shows in several logins of its client
  const logins = problem?.kind === 'silent' ? context.flows.latest(mostSearched).filter(isOf(problem.client_id)) : [];
  const all = [...occurrences.flatMap(each => context.flows.ofRequest(each) ?? []), ...logins];
  const flows = [...new Map(all.map(flow => [flow.id, flow])).values()].slice(0, mostFlows);
  const inFlows = flows.flatMap(({ steps }) => steps.map(step => step.requestId));
  const loose = occurrences.filter(each => context.flows.ofRequest(each) === undefined).slice(0, mostFlows);
  const requestIds = inOrder(context, [...new Set([...inFlows, ...loose])]);
  // a refused request that is not in the list of problems has only the id of the request
  return { id: problem?.id ?? requestId, flows, requestIds };
}

function inOrder({ events }: PageContext, requestIds: readonly string[]): readonly string[] {
  const placeOf = (requestId: string) => events.ofRequest(requestId).at(-1)?.id ?? 0;
  return requestIds.toSorted((a, b) => placeOf(a) - placeOf(b));
}

type Entry = Readonly<Record<string, unknown>>;

type Exported = Pick<Export, 'flows' | 'requests'>;
type SettingLine = Awaited<ReturnType<PageContext['settings']>>[number];

/** Groups of settings that change the answers of the protocol. */
const groups: ReadonlySet<string> = new Set(['Protocol', 'Tokens', 'Sign-in', 'Relaxations', 'Sample backend']);
/** Settings of these groups whose value is a place or a picture. */
const unneeded: ReadonlySet<string> = new Set(['KEYS_FILE', 'BRANDING', 'ANY_ISSUER', 'ISSUER_FROM_HOST']);

/**
 * The parts of the configuration that repeat the exported requests: their clients and users, with the scopes and collections that the
 * requests name. Secrets and passwords are redacted.
 */
export function* setupOf(
  { control, time }: Pick<PageContext, 'control' | 'time'>,
  exported: Exported,
  settings: readonly SettingLine[],
): Pieces<object> {
  const { clientIds, subs, collections } = yield* namesIn(exported);
  const clients = yield* entriesOf(clientIds, id => control.clientEntry(id));
  const scopes = new Set(clients.flatMap(({ scope }) => (typeof scope === 'string' ? scope.split(' ') : [])));
  const described = yield* entriesOf(scopes, name => control.entry('scope', name));
  const { offset, frozen } = time.state();
  return {
    clients,
    users: yield* entriesOf(subs, sub => control.userEntry(sub)),
    scopes: described.filter(each => Object.keys(each).length > 1),
    collections: yield* entriesOf(collections, name => control.entry('collection', name)),
    // those that are not at their default, by their variable, such as `ACCESS_TOKEN_LIFETIME`
    settings: Object.fromEntries(
      settings
        .filter(({ group, name, from, value }) => groups.has(group) && isTold(name, from, value))
        .map(({ name, value }) => [name, value]),
    ),
    clock: { offset, frozen },
  };
}

function* namesIn({ flows, requests }: Exported) {
  const [clientIds, subs, collections] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const note = (each: Flow | SandboxEvent) => {
    if ('client_id' in each && each.client_id !== undefined) clientIds.add(each.client_id);
    if ('sub' in each && each.sub !== undefined) subs.add(each.sub);
  };
  for (const flow of flows) {
    note(flow);
    yield;
  }
  for (const { endpoint, path, facts } of requests) {
    const name = endpoint === 'api' ? collectionIn(path) : undefined;
    if (name !== undefined) collections.add(name);
    facts.forEach(note);
    yield;
  }
  return { clientIds, subs, collections };
}

function isTold(name: string, from: string, value: string): boolean {
  return from !== 'default' && value !== '***' && !unneeded.has(name);
}

function collectionIn(path: string): string | undefined {
  return /\/api\/([^/]+)/.exec(path)?.[1];
}

function entriesOf(ids: Iterable<string>, entryOf: (id: string) => Entry | undefined): Pieces<Entry[]> {
  return flatMapInPieces(ids, id => {
    const entry = entryOf(id);
    return entry === undefined ? [] : [withoutSecrets(entry) as Entry]; // an object stays one
  });
}

function withoutSecrets(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map(each => withoutSecrets(each, name));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, withoutSecrets(each, member)]));
  return typeof value === 'string' && secrecyOf(name) !== 'none' ? redacted : value;
}

/**
 * The problems of the exported requests, newest first, each with the complete explanation of its newest exported occurrence, because
 * the file lacks the secrets it was made from. New requests meanwhile may push out a problem, which stays in the list.
 */
export function* problemsIn({ problems }: Pick<PageContext, 'problems'>, { requests }: Export): Pieces<object[]> {
  const exported = new Set(requests.map(each => each.requestId));
  const found: object[] = [];
  yield* problems.catchUp();
  for (const { problem, explain } of problems.listed()) {
    const requestIds = problem.requestIds.filter(id => exported.has(id));
    const [requestId] = requestIds;
    if (requestId !== undefined) {
      const count = requestIds.length === problem.requestIds.length ? problem.count : requestIds.length;
      found.push({ ...problem, count, requestId, requestIds, explanation: withoutChanges(explain(requestId)) });
    }
    yield;
  }
  return found;
}

/** A file changes nothing, and a proposed change may contain a secret. */
function withoutChanges(explanation: Explanation): Explanation {
  return { ...explanation, fixes: explanation.fixes.map(({ text, snippets }) => ({ text, snippets })) };
}
