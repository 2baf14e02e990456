import { createMadeUp, type MadeUp } from '../../dashboard/claims/made-up.ts';
import { reservedClaims } from '../../protocol/protocol-claims.ts';
import type { SandboxConfig } from '../../sandbox/config/sandbox-config.ts';
import type { Modules } from '../../sandbox/extension.ts';
import { createNotes } from '../import/notes.ts';
import { compare } from './compare.ts';
import { draftOf, type ProbeLogin, type TwinDraft } from './draft.ts';
import type { FactRow } from './fact-row.ts';
import { type Facts, factsOf } from './facts.ts';
import { withRules } from './mend.ts';
import { withMetadata } from './metadata-overrides.ts';
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
    ...line('in the recorded login, and nothing was made of them', counted),
  ];
}

const mostShown = 60;

function line(words: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, mostShown).map(name => name.replace(/\p{Cc}+/gu, ' ').slice(0, 120));
  const more = names.length > mostShown ? `, and ${names.length - mostShown} more` : '';
  return [`${words}: ${shown.join(', ')}${more}`];
}
