import { recordIn } from '../../../base/text/record.ts';
import type { ParsedObject } from '../../../protocol/json-parameter.ts';
import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { ClientEntry } from '../../../sandbox/config/sandbox-config.ts';
import type { SandboxIssuer } from '../../../sandbox/library/calls.ts';
import type { ExamModule, Judged, Seen, Stage } from '../exam-module.ts';
import { notMet, untold } from '../judge.ts';
import { type McpCall, type McpRules, serveMcp } from './serve-mcp.ts';

/** The place of a module: its MCP server, and the issuers that this one may name. */
export interface McpPlace {
  /** The origin of the MCP server. */
  readonly origin: string;
  readonly issuer: string;
  /** The second issuer, if the module has one. */
  readonly second: string;
  /** The metadata of the first issuer. */
  readonly metadata: ParsedObject;
}

interface McpModule extends Pick<ExamModule, 'id' | 'title' | 'references' | 'gain' | 'right' | 'mend'> {
  /** True for a module of MCP's conformance kit, which has the same name there. */
  readonly isOfKit?: boolean;
  readonly rules?: Partial<McpRules> | ((place: McpPlace) => Partial<McpRules>);
  /** Changed members of the metadata of the issuer; null removes one. */
  readonly metadata?: ParsedObject;
  /** Changed parameters of the authorization response. */
  readonly response?: ParsedObject | ((place: McpPlace) => ParsedObject);
  /** The registration of each client that registers itself, whatever it asked for. */
  readonly registered?: { readonly entry: object; readonly told?: ParsedObject };
  /** A client that is registered for the app, and what the app is told of it. */
  client?(stage: Stage): Promise<{ readonly entry: ClientEntry; readonly told: Readonly<Record<string, string>> }>;
  /** Scopes that the issuer has to know. */
  readonly scopes?: readonly string[];
  /** A second issuer: its configuration, and the changed members of its metadata. */
  readonly second?: { readonly config: object; readonly metadata: ParsedObject };
  readonly logins?: number;
  judge(seen: McpSeen): Judged;
}

/** All that was seen of a module with an MCP server. */
export interface McpSeen extends Seen {
  readonly calls: readonly McpCall[];
}

/** Members that are in the metadata of a module only if it is about them. */
const plain: ParsedObject = {
  authorization_response_iss_parameter_supported: null,
  dpop_signing_alg_values_supported: null,
};

/** A module in which the app connects to an MCP server that names the issuer as its authorization server. */
export function mcpModule({ isOfKit = true, ...module }: McpModule): ExamModule {
  const { id, title, references, gain, right, mend, judge } = module;
  return {
    ...{ id, title, references, gain, right, mend },
    ...(isOfKit ? { suite: `auth/${id}` } : {}),
    run: stage => connected(stage, module),
    judge: seen => judge({ ...seen, calls: seen.calls ?? [] }),
  };
}

async function connected(stage: Stage, module: Omit<McpModule, 'isOfKit'>) {
  const { issuer } = stage;
  const second = module.second === undefined ? undefined : await secondIssuer(stage, module.second);
  const known = recordIn(await stage.metadata()) ?? {};
  const place = (origin: string) => ({ origin, issuer: issuer.issuer, second: second?.issuer ?? '', metadata: known });
  const mcp = await serveMcp(origin => {
    const at = place(origin);
    return { ...usual(at), ...(typeof module.rules === 'function' ? module.rules(at) : module.rules) };
  });
  const { client, remove } = await created(stage, module);
  const end = module.registered === undefined ? () => {} : await registering(issuer, module.registered.entry);
  try {
    await armed(stage, module, place(new URL(mcp.url).origin));
    const { logins = 2 } = module;
    const told = client === undefined ? {} : { client: client.told };
    const taken = await stage.signIn({ logins, second, mcp: { url: mcp.url, ...told } });
    return { ...taken, calls: mcp.calls };
  } finally {
    end();
    mcp.close();
    await remove();
  }
}

/** Creates the client and the scopes of a module. An issuer that all modules share must not keep the client. */
async function created(stage: Stage, module: Omit<McpModule, 'isOfKit'>) {
  const { clients, scopes } = stage.issuer;
  for (const name of module.scopes ?? []) await scopes.replace(name, {});
  const client = await module.client?.(stage);
  if (client === undefined) return { client, remove: async () => {} };
  await clients.create(client.entry);
  return { client, remove: () => clients.delete(client.entry.client_id) };
}

async function secondIssuer(stage: Stage, { config, metadata }: NonNullable<McpModule['second']>) {
  const second = await stage.another(config);
  const change = { ...plain, ...metadata };
  await second.faults.arm({ fault: 'changed_members', endpoint: 'discovery', change, times: 'always' });
  return second;
}

function usual({ origin, issuer }: McpPlace): McpRules {
  return {
    metadataAt: '/.well-known/oauth-protected-resource/mcp',
    isTold: true,
    scheme: 'Bearer',
    metadata: () => ({ resource: `${origin}/mcp`, authorization_servers: [issuer] }),
    documents: {},
  };
}

async function armed(stage: Stage, { metadata, response = {}, registered }: Partial<McpModule>, place: McpPlace) {
  await stage.arm({ fault: 'changed_members', endpoint: 'discovery', change: { ...plain, ...metadata } });
  const change = typeof response === 'function' ? response(place) : response;
  if (Object.keys(change).length > 0) await stage.arm({ fault: 'changed_parameters', change });
  const told = registered?.told;
  if (told !== undefined) await stage.arm({ fault: 'changed_members', endpoint: 'registration', change: told });
}

/** Changes each client as soon as it has registered itself. */
async function registering({ clients, events }: SandboxIssuer, entry: object): Promise<() => void> {
  await clients.list(); // loads the code that changes clients, so that a change is done before the next request
  return events.subscribe(event => {
    if (event.type === 'client.registered') void clients.patch(event.client_id, entry);
  });
}

/** The authorization requests: a page that sends the browser back to the endpoint is not another one. */
export function authorizations(seen: Pick<Seen, 'at'>): readonly RecordedRequest[] {
  const requests = [...seen.at('par'), ...seen.at('authorize')].filter(request => request.value('client_id'));
  const challenges = requests.map(request => request.value('code_challenge'));
  return requests.filter(
    (_, index) => challenges[index] === undefined || challenges.indexOf(challenges[index]) === index,
  );
}

/** The scopes of a request. */
export function scopesOf(request: RecordedRequest | undefined): readonly string[] {
  return request?.value('scope')?.split(' ') ?? [];
}

const noStart = 'The app sent no authorization request.';

/** Judges that a right app gets in, and `wrong` says what is wrong with one that does. */
export function mustConnect(
  seen: McpSeen,
  wrong: readonly McpCall[] = [],
  why = 'The app did not connect to the MCP server.',
): Judged {
  const { calls, requests } = seen;
  if (calls.length === 0) return notMet(seen, 'The app did not call the MCP server.');
  if (wrong.length > 0) return { verdict: 'fail', why, requests: [], calls: wrong };
  if (seen.believed === undefined) return { ...untold(requests), calls };
  if (!seen.believed) return { verdict: 'fail', why: 'The app did not connect to the MCP server.', requests, calls };
  return { verdict: 'pass', why: 'The app connected to the MCP server.', requests: authorizations(seen), calls: [] };
}

/** Judges that a right app goes no further than to these requests. */
export function mustStop(
  seen: McpSeen,
  {
    met,
    never,
    absent = noStart,
  }: { met: readonly RecordedRequest[]; never: readonly RecordedRequest[]; absent?: string },
): Judged {
  if (never.length > 0) return { verdict: 'fail', why: 'The app went on.', requests: [...met, ...never] };
  if (met.length === 0) return notMet(seen, absent);
  return { verdict: 'pass', why: 'The app went no further.', requests: met };
}

/** Judges one property of the authorization request. Each is a recommendation. */
export function scopeRule(seen: McpSeen, isRight: (request: RecordedRequest) => boolean, why: string): Judged {
  const [first] = authorizations(seen);
  if (first === undefined) return notMet(seen, noStart);
  if (!isRight(first)) return { verdict: 'warn', why, requests: [first] };
  return { verdict: 'pass', why: 'The app asked for the right scope.', requests: [first] };
}
