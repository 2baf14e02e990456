import { clientOf, givenTemplate, isRule, userTemplate } from '../../dashboard/claims/like-token.ts';
import { createMadeUp, type MadeUp } from '../../dashboard/claims/made-up.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import { reservedClaims } from '../../protocol/protocol-claims.ts';
import type { RuledKind } from '../../protocol/token-rule.ts';
import type { SandboxConfig, TokenRule } from '../../sandbox/config/sandbox-config.ts';
import { checkUser } from '../../sandbox/config/user-entry.ts';
import type { Modules } from '../../sandbox/extension.ts';
import { createNotes } from '../import/notes.ts';
import { compare, type FactRow } from './compare.ts';
import { draftOf, type ProbeLogin, type TwinDraft } from './draft.ts';
import { type Facts, factsOf } from './facts.ts';
import { type Observed, observe } from './observe.ts';
import type { SampleMembers, SampleReading, Samples, TokenKind, TokenSample } from './samples.ts';
import { inProcess, withSandbox } from './targets.ts';
import { type Recognised, recognise } from './vendors.ts';

/** A configuration that looks like a server, and how much. */
export interface TenantTwin {
  readonly config: SandboxConfig;
  readonly vendor: Recognised | undefined;
  readonly probe: ProbeLogin;
  /** The facts of the samples. */
  readonly facts: Facts;
  readonly rows: readonly FactRow[];
  /** Lines about what was replaced, kept or could not be read. */
  readonly notes: readonly string[];
}

/**
 * Makes a configuration of samples. It starts a sandbox of a first one, compares, adds what is missing, and measures a sandbox of
 * the result.
 */
export async function makeTwin(reading: SampleReading, modules: Modules): Promise<TenantTwin> {
  const { samples } = reading;
  const { vendor, made, draft, madeUp, notes } = plannedTwin(reading, modules);
  const facts = factsOf(samples);
  const first = await measured(draft.config, draft.probe, modules);
  const rows = compare(facts, factsOf(first.samples));
  const ruled = withRules(draft.config, rows, { read: samples, made });
  const config = withMetadata(ruled, rows, samples.metadata ?? {});
  const last = config === draft.config ? first : await measured(config, draft.probe, modules);
  return {
    config,
    vendor,
    probe: draft.probe,
    facts,
    rows: compare(facts, factsOf(last.samples)),
    notes: [
      ...notes,
      ...last.refusals.map(line => `the sandbox refused ${line}`),
      ...replacements(madeUp, reading, draft),
    ],
  };
}

/** The first configuration, before a sandbox was looked at. */
export function plannedTwin(reading: SampleReading, { providers }: Pick<Modules, 'providers'>) {
  const [madeUp, notes] = [createMadeUp(), createNotes()];
  const vendor = recognise(reading.samples, providers);
  const made = withoutPersons(reading.samples, madeUp);
  const draft = draftOf(reading, made, vendor ?? {}, notes);
  return { vendor, made, draft, madeUp, notes: notes.lines() };
}

async function measured(config: SandboxConfig, probe: ProbeLogin, modules: Modules): Promise<Observed> {
  return withSandbox(await inProcess(config, modules), target => observe(target, probe));
}

function withoutPersons({ tokens, userinfo, ...others }: Samples, madeUp: MadeUp): Samples {
  const replaced = Object.entries(tokens).map(([kind, token]) => [kind, decodedAgain(kind, token, madeUp)] as const);
  return {
    ...others,
    tokens: Object.fromEntries(replaced) as Partial<Record<TokenKind, TokenSample>>, // the same kinds
    ...(userinfo !== undefined && { userinfo: withoutPerson('userinfo', userinfo, madeUp) }),
  };
}

function decodedAgain(kind: string, { header = {}, claims }: TokenSample, madeUp: MadeUp): TokenSample {
  return claims === undefined ? {} : { header, claims: withoutPerson(kind, claims, madeUp) };
}

/** Claims of the protocol are made anew by each sandbox; `sub` names a person. */
function withoutPerson(place: string, claims: SampleMembers, madeUp: MadeUp): SampleMembers {
  const isPersonal = (name: string) => name === 'sub' || !reservedClaims.includes(name);
  return madeUp.claims(place, Object.fromEntries(Object.entries(claims).filter(([name]) => isPersonal(name))));
}

function replacements(madeUp: MadeUp, { secrets }: SampleReading, { config }: TwinDraft): readonly string[] {
  const counted = Object.entries(secrets).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]));
  const withSecret = (config.clients ?? []).flatMap(each => (each.client_secret === undefined ? [] : [each.client_id]));
  return [
    ...line('replaced by made-up values of the same form', madeUp.replaced()),
    ...line('kept as they are, because they name no person', madeUp.kept()),
    ...line('clients whose secret was made up', withSecret),
    ...line('in the recorded sign-in, and nothing was made of them', counted),
  ];
}

const mostShown = 60;

function line(words: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, mostShown).map(name => name.replace(/\p{Cc}+/gu, ' ').slice(0, 120));
  const more = names.length > mostShown ? `, and ${names.length - mostShown} more` : '';
  return [`${words}: ${shown.join(', ')}${more}`];
}

/** Members that inform and promise nothing, so that the sandbox may say them. */
const informing = [
  'claims_supported',
  'claims_locales_supported',
  'display_values_supported',
  'service_documentation',
  'op_policy_uri',
  'op_tos_uri',
  'tenant_region_scope',
  'cloud_instance_name',
];

const mostMembers = 200;

/**
 * Metadata by hand, so that it says what your server says. It never promises more than the sandbox keeps: members and items are
 * removed, and only those added that inform.
 */
function withMetadata(config: SandboxConfig, rows: readonly FactRow[], metadata: SampleMembers): SandboxConfig {
  const written = rows.flatMap(({ fact, verdict, yours, ours }): (readonly [string, unknown])[] => {
    const name = /^metadata\.(.+)$/.exec(fact)?.[1];
    if (name === undefined || verdict === 'same' || name === '__proto__') return [];
    if (yours === undefined) return [[name, null]];
    if (informing.includes(name) && isPlain(metadata[name])) return [[name, metadata[name]]];
    const fewer = fewerThan(yours, ours);
    return fewer === undefined ? [] : [[name, fewer]];
  });
  if (written.length === 0) return config;
  return { ...config, metadataOverrides: Object.fromEntries(written.slice(0, mostMembers)) };
}

function isPlain(value: unknown): boolean {
  return [value].flat().every(item => typeof item === 'string') && JSON.stringify(value).length < 5000;
}

/** The promises of both; undefined where that is what the sandbox says already. */
function fewerThan(yours: unknown, ours: unknown): unknown {
  if (yours === false && ours !== false) return false;
  if (!Array.isArray(yours) || !Array.isArray(ours)) return undefined;
  const both = yours.filter(item => ours.includes(item));
  return both.length === 0 || both.length === ours.length ? undefined : both;
}

/** The targets of a rule, by the group of facts. */
const ruled: Readonly<Record<'access_token' | 'id_token' | 'userinfo' | 'client_token', RuledKind>> = {
  access_token: 'accessToken',
  id_token: 'idToken',
  userinfo: 'userinfo',
  client_token: 'accessToken',
};

type Group = keyof typeof ruled;

/**
 * Adds rules and claims of the user for the claims that a sandbox of the configuration did not write as the samples have them.
 * The samples are those that were `read`, and those `made` of them without personal values.
 */
function withRules(
  config: SandboxConfig,
  rows: readonly FactRow[],
  { read, made }: Readonly<Record<'read' | 'made', Samples>>,
): SandboxConfig {
  const [user] = config.users ?? [];
  const claims: Record<string, unknown> = { ...user?.claims };
  const rules = (Object.keys(ruled) as Group[]).flatMap(group => {
    const found = claimsOf(made, group);
    const missing = Object.entries(found).filter(([name]) => isWanted(name, group, rows));
    // without a token to compare with, nothing is known to be missing
    if (missing.length === 0 || !isMeasured(group, rows)) return [];
    const facts = factsFor(group, read);
    const written = missing.map(([name, value]) => [name, templateOf(name, value, facts, claims)] as const);
    return ruleOf(group, Object.fromEntries(written), read);
  });
  if (rules.length === 0) return config;
  const users = user === undefined ? [] : [{ ...user, claims: claims as NonNullable<typeof user.claims> }]; // parsed JSON
  return { ...config, users, tokenClaims: rules };
}

function isMeasured(group: Group, rows: readonly FactRow[]): boolean {
  return rows.some(({ fact, ours }) => ours !== undefined && fact.startsWith(`${group}.claims.`));
}

function claimsOf({ tokens, userinfo }: Samples, group: Group): SampleMembers {
  return (group === 'userinfo' ? userinfo : tokens[group]?.claims) ?? {};
}

function isWanted(name: string, group: Group, rows: readonly FactRow[]): boolean {
  if (reservedClaims.includes(name)) return false;
  const place = `${group}.claims.${name}`;
  return rows.some(
    ({ fact, verdict, yours }) =>
      verdict !== 'same' && yours !== undefined && (fact === place || fact.startsWith(`${place}.`)),
  );
}

interface GroupFacts {
  readonly group: Group;
  readonly claims: SampleMembers;
  readonly client: string | undefined;
}

function factsFor(group: Group, read: Samples): GroupFacts {
  const kind: TokenKind = group === 'userinfo' ? 'id_token' : group;
  const token = read.tokens[kind];
  return { group, claims: claimsOf(read, group), client: token && clientOf(token, kind) };
}

/** A placeholder where the value belongs to the user, the client or the request; otherwise the value. */
function templateOf(
  name: string,
  value: unknown,
  { group, claims, client }: GroupFacts,
  user: Record<string, unknown>,
): unknown {
  const given = givenTemplate({ name, value, original: claims[name], client });
  if (given !== undefined) return given;
  if (group === 'client_token') return value;
  const isFree = !Object.hasOwn(user, name) && checkUser({ sub: 'x', claims: { [name]: value } }).length === 0;
  if (isFree) user[name] = value;
  return userTemplate(name, user, own => isSameJson(own, value)) ?? value;
}

/** Claims that no rule may have are left out, and stay in the table as different. */
function ruleOf(group: Group, claims: SampleMembers, read: Samples): readonly TokenRule[] {
  const kept = Object.entries(claims).filter(([name, value]) => isRule({ [name]: value }));
  if (kept.length === 0) return [];
  const isShared = read.tokens.client_token !== undefined && group === 'access_token';
  return [
    {
      ...(group === 'client_token' && { grant: 'client_credentials' }),
      ...(isShared && { when: 'user.sub' }),
      for: ruled[group],
      claims: Object.fromEntries(kept),
    },
  ];
}
