import type { Request, Response, Router } from 'express';
import type { IssuedEvent } from '../base/events/event-log.ts';
import { headerOf } from '../base/events/exchange.ts';
import { ago, duration, left } from '../base/text/duration.ts';
import { parseScope } from '../protocol/scope.ts';
import { createStatusOf, tokenTypeOf } from '../record/flows/token-status.ts';
import type { SelfRequest } from '../sandbox/self-request.ts';
import { bindingOf, claimsOf } from './claims/claim-values.ts';
import type { DashboardFacts, SampleCollection } from './facts.ts';
import { formOf } from './form.ts';
import { asCurl } from './http-call.ts';
import type { PageContext } from './page.ts';
import { textOf } from './query.ts';
import { bodyView } from './requests/body-view.ts';
import { toolHeader } from './requests/request-facts.ts';
import { statusBadge } from './status-badge.ts';
import { example } from './tokens/token-use.ts';

/** `/api`: the sample backend, its rules, and a way to call it. */
export function apiPages(router: Router, context: PageContext): void {
  router.get('/api', async (req, res) => {
    const form = filledForm(context, req);
    const model = await apiPage(context, form, textOf(req.query.tried));
    await context.show(res, { template: 'api', title: 'Sample API', nav: 'api', model });
  });

  router.post('/api/try', (req, res) => send(context, req, res));
}

function filledForm(context: PageContext, { query }: Request): Tried {
  const endpoints = apiEndpoints(context);
  const endpoint = endpoints.find(({ id }) => id === textOf(query.endpoint)) ?? endpoints[0];
  return {
    endpoint: endpoint?.id ?? '',
    tokenId: textOf(query.token),
    id: textOf(query.id) || '1',
    body: textOf(query.body) || endpoint?.body || '',
  };
}

const longestBody = 4000;

async function send(context: PageContext, req: Request, res: Response): Promise<void> {
  const form = await formOf(req);
  const typed = (name: string) => form.get(name) ?? '';
  // the button of a row names its endpoint, whichever the form has
  const row = form.get('row');
  const endpoint = apiEndpoints(context).find(({ id }) => id === (row ?? typed('endpoint')));
  if (endpoint === undefined) return context.forgotten(res, 'endpoint');
  const token = typed('token');
  const issued = token === '' ? undefined : context.events.issued(token);
  if (token !== '' && issued === undefined) return context.forgotten(res, 'token');
  const isOther = row !== null && row !== typed('endpoint');
  const body = isOther ? endpoint.body : typed('body').replaceAll('\r\n', '\n');
  const parts = { id: typed('id'), body, token: issued?.token ?? '' };
  const { requestId } = await context.send(tryRequest(endpoint, parts));
  const again = new URLSearchParams({ endpoint: endpoint.id, token, id: parts.id, tried: requestId });
  if (endpoint.body !== '' && parts.body.length <= longestBody) again.set('body', parts.body);
  res.redirect(303, `${context.base}/dashboard/api?${again}#result`);
}

async function apiPage(context: PageContext, form: Tried, requestId: string) {
  const tokens = validTokens(context);
  const result = resultOf(context, requestId);
  return {
    endpoints: apiEndpoints(context).map(endpoint => ({ ...endpoint, curl: curlOf(context, endpoint, tokens) })),
    rules: (await context.settings()).filter(({ name }) => ruleNames.has(name)),
    words: ruleWords(context),
    environment,
    tokens: tokens.map(event => choiceOf(event, context.clock())),
    form: result === undefined && form.tokenId === '' ? withToken(context, form, tokens) : form,
    result,
    calls: lastCalls(context),
  };
}

const mostTokens = 50;

function validTokens({ events, clock }: PageContext): IssuedEvent[] {
  const statusOf = createStatusOf(events, clock());
  const found: IssuedEvent[] = [];
  for (const event of events.latestIssued(Number.POSITIVE_INFINITY)) {
    if (found.length === mostTokens) break;
    if (tokenTypeOf(event) === 'access' && statusOf(event) === 'valid') found.push(event);
  }
  return found;
}

function choiceOf(event: IssuedEvent, now: number) {
  const { tokenId, sub, client_id, scope, exp } = event;
  const bound = bindingOf(claimsOf(event)) === undefined ? '' : ', bound to a key, so this page cannot use it';
  const who = sub === undefined ? client_id : `${sub} at ${client_id}`;
  return { tokenId, words: `${who}, ${scope ?? 'no scope'}, ${left(exp - now)}${bound} (${tokenId})` };
}

function withToken(context: PageContext, form: Tried, tokens: readonly IssuedEvent[]): Tried {
  const scope = apiEndpoints(context).find(({ id }) => id === form.endpoint)?.scope ?? '';
  const token = tokens.find(event => parseScope(event.scope).includes(scope)) ?? tokens[0];
  return { ...form, tokenId: token?.tokenId ?? '' };
}

function curlOf(context: PageContext, endpoint: ApiEndpoint, tokens: readonly IssuedEvent[]): string {
  const fits = (event: IssuedEvent) =>
    parseScope(event.scope).includes(endpoint.scope) && bindingOf(claimsOf(event)) === undefined;
  const token = tokens.find(fits)?.token ?? '<access_token>';
  const { method, path, headers, body } = callWith(endpoint, { id: '1', body: endpoint.body, token });
  return asCurl({ method, url: new URL(context.issuer).origin + path, headers: Object.entries(headers), body });
}

const ruleNames = new Set(['API_AUDIENCE', 'API_TOKEN_CHECK', 'API_CLOCK_SKEW']);

function ruleWords({ api, issuer }: PageContext): string[] {
  return [
    `The token was issued by ${issuer} and has not expired.`,
    api.audience.length === 0
      ? 'The aud claim is checked only if the token was requested for a resource (RFC 8707).'
      : `The aud claim contains one of: ${api.audience.join(', ')}.`,
    api.tokenCheck === 'introspection'
      ? 'Each call introspects the token, so revoked tokens are refused and opaque tokens work.'
      : 'The signature is checked locally, so a revoked token works until it expires, as with most APIs.',
  ];
}

const environment = [
  '# only tokens for this audience',
  'API_AUDIENCE=http://localhost:9000/api',
  '# introspect each token, so that revoked ones are refused',
  'API_TOKEN_CHECK=introspection',
  '# tolerate 30 seconds of clock skew',
  'API_CLOCK_SKEW=30',
].join('\n');

function resultOf(context: PageContext, requestId: string) {
  const { events } = context;
  const happened = events.ofRequest(requestId);
  const event = happened.find(each => each.type === 'request.completed');
  if (event === undefined) return undefined;
  const { responseBody, responseHeaders } = event.exchange;
  const type = headerOf(responseHeaders, 'content-type') ?? '';
  return {
    requestId,
    firstLine: `${event.method} ${event.path}`,
    badge: statusBadge(context, event),
    ...(responseBody === undefined
      ? {}
      : { body: bodyView(responseBody, type, { place: 'response', endpoint: 'api' }) }),
    // `WWW-Authenticate`; empty for none
    challenge: headerOf(responseHeaders, 'www-authenticate') ?? '',
    refusal: reasonOf(happened),
  };
}

function reasonOf(happened: ReturnType<PageContext['events']['ofRequest']>): string {
  return happened.find(each => each.type === 'error.returned')?.description ?? '';
}

const mostCalls = 20;

function lastCalls(context: PageContext) {
  const { events, clock } = context;
  const requests = events.latest('request.completed', Number.POSITIVE_INFINITY);
  const calls = requests.filter(({ endpoint }) => endpoint === 'api').slice(0, mostCalls);
  return calls.map(call => {
    const { requestId, at, method, path } = call;
    const happened = events.ofRequest(requestId);
    const about = happened.find(each => each.type === 'token.used' || each.type === 'error.returned');
    return {
      requestId,
      at,
      badge: statusBadge(context, call),
      ago: ago(clock() - at),
      words: `${method} ${path.slice(0, 80)}`,
      client_id: about?.client_id ?? '',
      reason: reasonOf(happened),
    };
  });
}

interface Tried {
  readonly endpoint: string;
  /** `tok_…`; empty for none. */
  readonly tokenId: string;
  readonly id: string;
  readonly body: string;
}

interface CallParts {
  readonly id: string;
  readonly body: string;
  /** The raw token; empty to send none. */
  readonly token: string;
}

function callWith({ method, path, takesId, body: example }: ApiEndpoint, parts: CallParts): SelfRequest {
  const headers: Record<string, string> = parts.token === '' ? {} : { Authorization: `Bearer ${parts.token}` };
  const request = { method, path: takesId ? path.replace('{id}', encodeURIComponent(parts.id)) : path };
  if (example === '') return { ...request, headers };
  return { ...request, headers: { ...headers, 'Content-Type': 'application/json' }, body: parts.body };
}

function tryRequest(endpoint: ApiEndpoint, parts: CallParts): SelfRequest {
  const { headers, ...request } = callWith(endpoint, parts);
  const { body } = request;
  const length: Record<string, string> =
    body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return { ...request, headers: { ...headers, ...length, [toolHeader]: 'dashboard' } };
}

type ApiEndpoint = ReturnType<typeof apiEndpoints>[number];

type Api = Pick<DashboardFacts, 'collections' | 'base'>;

/** The calls of the sample API, with the scope that each needs. */
export function apiEndpoints({ collections, base }: Api) {
  return collections.flatMap(collection => [...reading(collection, base), ...writing(collection, base)]);
}

function reading(collection: SampleCollection, base: string) {
  const { name, readScope, readAcrValues, readMaxAge } = collection;
  if (readScope === undefined) return [];
  const shared = { method: 'GET', scope: readScope, login: loginOf(readAcrValues, readMaxAge), body: '' } as const;
  return [
    { ...shared, id: `${name}-list`, path: pathOf(base, name), words: `reads all ${name}`, takesId: false },
    {
      ...shared,
      id: `${name}-read`,
      path: `${pathOf(base, name)}/{id}`,
      words: `reads one row of ${name}`,
      takesId: true,
    },
  ];
}

function writing(collection: SampleCollection, base: string) {
  const { name, writeScope, writeAcrValues, writeMaxAge } = collection;
  if (writeScope === undefined) return [];
  const shared = { scope: writeScope, login: loginOf(writeAcrValues, writeMaxAge) };
  const body = JSON.stringify(example(collection), undefined, 2);
  const path = pathOf(base, name);
  const one = { ...shared, path: `${path}/{id}`, takesId: true };
  return [
    { ...shared, id: `${name}-create`, method: 'POST', path, words: `adds a row to ${name}`, takesId: false, body },
    { ...one, id: `${name}-replace`, method: 'PUT', words: `replaces one row of ${name}`, body },
    { ...one, id: `${name}-delete`, method: 'DELETE', words: `deletes one row of ${name}`, body: '' },
  ];
}

function loginOf(acrValues: readonly string[] = [], maxAge: number | undefined): string {
  return [
    ...(acrValues.length === 0 ? [] : [`acr ${acrValues.join(' or ')}`]),
    ...(maxAge === undefined ? [] : [`at most ${duration(maxAge)} ago`]),
  ].join(', ');
}

function pathOf(base: string, name: string): string {
  return `${base}/api/${encodeURIComponent(name)}`;
}
