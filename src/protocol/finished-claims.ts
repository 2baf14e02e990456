import { defined } from '../base/defined.ts';
import { isRecord } from '../base/text/record.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { WrittenClaims, WrittenFor } from './dialect.ts';
import { addingTo } from './dialects/claim-rules.ts';
import { OAuthError } from './errors.ts';
import { reservedClaims } from './protocol-claims.ts';
import type {
  OnToken,
  OnTokenEvent,
  RuleContext,
  RuledClaims,
  RuledKind,
  TokenRule,
  TokenRules,
} from './token-rule.ts';
import { loggedInUser } from './users/user-claims.ts';

type Members = Readonly<Record<string, unknown>>;

/** Claims with those of a preset and of rules. */
interface FinishedClaims<Own extends Members> {
  /** In our own form, which this server reads. */
  readonly own: Own;
  /** In the form of the preset, which clients read. */
  readonly written: Own;
  /** For the log: the claims that the preset set, and those that rules set. */
  readonly origins: { readonly written?: WrittenClaims; readonly ruled?: Readonly<Record<string, string>> };
}

/**
 * Finishes the claims of a token or an answer: first the form of the preset, and then the rules, which see the claims of
 * the preset. All that issues, mints or previews claims uses this function.
 */
export async function finishedClaims<Own extends Members>(
  kind: RuledKind,
  about: WrittenFor<AuthorizationServer>,
  usual: Own,
): Promise<FinishedClaims<Own>> {
  const { dialect, tokenRules } = about.server;
  const spoken = dialect?.write(kind, about, usual) ?? usual;
  const written = dialect?.written(usual, spoken);
  if (tokenRules === undefined) return { own: usual, written: spoken, origins: defined({ written }) };
  const { claims, by } = await claimsByRule(tokenRules, kind, about, spoken);
  const ruled = Object.keys(by).length === 0 ? undefined : by;
  return { own: { ...usual, ...claims }, written: { ...spoken, ...claims }, origins: defined({ written, ruled }) };
}

/** The context of one token or answer. */
function ruleContext(
  { server, client, authorization, scopes, resources = [], asked }: WrittenFor<AuthorizationServer>,
  claims: Readonly<Record<string, unknown>>,
): RuleContext {
  const { sub, edited, grant_type, session } = authorization;
  const user = sub === undefined ? undefined : loggedInUser(server, { sub, ...(edited && { edited }) });
  const { client_secret: _, ...shown } = client;
  return {
    // by name: a password must not get into a token
    user: user && {
      username: user.username,
      ...user.claims,
      sub: user.sub,
      access_token_claims: user.access_token_claims,
    },
    client: shown,
    request: Object.fromEntries(Object.entries(parametersOf(asked)).filter(([name]) => !secret.test(name))),
    grant: { ...session, type: grant_type, resources },
    scopes,
    claims,
  };
}

/** Names that hold a secret or somebody's token. `subject_token_type` and the like do not. */
const secret =
  /secret|password|verifier|assertion$|token$|^(code|device_code|user_code|auth_req_id|request|id_token_hint)$/;

/** The parameters by name: those of the form, or those of the checked authorization request. */
function parametersOf(asked: WrittenFor<AuthorizationServer>['asked']): Readonly<Record<string, unknown>> {
  if (asked === undefined) return {};
  if ('values' in asked) {
    const { values, resources, audiences = [] } = asked;
    const lists = Object.entries({ resource: resources, audience: audiences });
    return { ...Object.fromEntries(values), ...Object.fromEntries(lists.filter(([_, list]) => list.length > 1)) };
  }
  const { scopes, resources, prompt, acr_values, hasNoRedirectUri: _, ...others } = asked;
  const [scope, words, acr] = [scopes, prompt, acr_values].map(list => list.join(' ') || undefined);
  const [resource] = resources;
  const listed = { resource: resources.length > 1 ? resources : resource };
  return defined({ ...others, ...listed, scope, prompt: words, acr_values: acr });
}

type SetClaims = readonly (readonly [name: string, value: unknown, by: string])[];

/**
 * The claims that the rules of a server add: those of templates in their order, and then those of `onToken`. Each sees
 * the claims of those before it. A preview does without `onToken`, which may act on other systems.
 */
async function claimsByRule(
  { templates, onToken, timeout }: TokenRules,
  kind: RuledKind,
  about: WrittenFor<AuthorizationServer>,
  usual: Members,
): Promise<RuledClaims> {
  const context = ruleContext(about, usual);
  const byTemplates = setByTemplates(templates, kind, about, context);
  if (onToken === undefined || kind === 'userinfo' || about.isPreview) return ruled(byTemplates);
  const claims = { ...usual, ...ruled(byTemplates).claims };
  const { tellFailure } = about.server;
  const added = await claimsByOnToken({ onToken, timeout, tellFailure }, { ...context, claims }, kind);
  return ruled([...byTemplates, ...Object.entries(added).map(([name, value]) => [name, value, 'onToken'] as const)]);
}

function setByTemplates(
  templates: readonly TokenRule[],
  kind: RuledKind,
  about: WrittenFor<AuthorizationServer>,
  context: RuleContext,
): SetClaims {
  const addBy = addingTo({ ...context });
  return templates.flatMap((rule, index) => {
    const added = isFor(rule, kind, about) ? Object.entries(addBy(rule)) : [];
    return added.map(([name, value]) => [name, value, `tokenClaims[${index}]`] as const);
  });
}

function ruled(set: SetClaims): RuledClaims {
  return {
    claims: Object.fromEntries(set),
    by: Object.fromEntries(set.map(([name, _, by]) => [name, by])),
  };
}

function isFor(
  rule: TokenRule,
  kind: RuledKind,
  { client, authorization, scopes, resources = [] }: WrittenFor<AuthorizationServer>,
): boolean {
  const configured = client.audience.length > 0 ? client.audience : [client.client_id];
  return (
    meets(rule.for, [kind]) &&
    meets(rule.client, [client.client_id]) &&
    meets(rule.scope, scopes) &&
    meets(rule.audience, resources.length > 0 ? resources : configured) &&
    meets(rule.grant, [authorization.grant_type])
  );
}

function meets(wanted: string | readonly string[] | undefined, values: readonly string[]): boolean {
  return wanted === undefined || [wanted].flat().some(value => values.includes(value));
}

interface OnTokenCall {
  readonly onToken: OnToken;
  /** Seconds. */
  readonly timeout: number;
  readonly tellFailure: ((error: unknown) => void) | undefined;
}

/**
 * The claims that `onToken` adds to a token.
 * @throws access_denied for a token that it denies; server_error where it fails, takes too long or sets something else
 */
async function claimsByOnToken(
  { onToken, timeout, tellFailure }: OnTokenCall,
  context: RuleContext,
  token: OnTokenEvent['token'],
): Promise<Members> {
  const denials: string[] = [];
  const event = eventOf(context, token, reason => denials.push(reason));
  try {
    const returned = await inTime(timeout, async () => onToken(event));
    if (denials.length === 0) return checked(returned);
  } catch (error) {
    if (denials.length === 0) {
      tellFailure?.(error);
      const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      const firstLine = message.split('\n', 1)[0]?.slice(0, 200) ?? '';
      throw new OAuthError('server_error', 'on_token_failed', `onToken failed: ${firstLine}`, { cause: error });
    }
  }
  // also where the function caught the exception of deny
  throw new OAuthError('access_denied', 'on_token_denied', denials[0] || 'onToken denied the token');
}

function eventOf(context: RuleContext, token: OnTokenEvent['token'], denied: (reason: string) => void): OnTokenEvent {
  function deny(reason: string): never {
    denied(String(reason));
    throw new Error(`onToken denied the token: ${reason}`);
  }
  // the objects of the context are those of the running configuration
  return { ...structuredClone(context), token, deny };
}

async function inTime<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const words = `it took longer than ${seconds === 1 ? '1 second' : `${seconds} seconds`} (ON_TOKEN_TIMEOUT)`;
    timer = setTimeout(() => reject(new Error(words)), seconds * 1000);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function checked(returned: unknown): Members {
  if (returned === undefined || returned === null) return {};
  if (!isRecord(returned)) throw new TypeError('it must return an object with claims, or nothing');
  const claims: unknown = JSON.parse(JSON.stringify(returned));
  if (!isRecord(claims)) throw new TypeError('it must return an object with claims, or nothing');
  const name = Object.keys(claims).find(each => reservedClaims.includes(each));
  if (name !== undefined) throw new TypeError(`it must not set ${name}: the server sets ${name} itself`);
  return claims;
}
