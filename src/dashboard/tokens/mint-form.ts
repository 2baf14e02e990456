import type { Desk } from '../desk.ts';

/** As somebody filled it in; empty for what is to be as usual. */
export type TypedMint = Readonly<Record<'client' | 'user' | 'type' | 'scope' | 'lifetime' | 'defect', string>>;

/** More than anybody reads in a list. */
const mostOffered = 50;

/** Undefined where nothing can be minted. */
export function mintForm(desk: Desk, typed = new URLSearchParams(), faults: readonly string[] = []) {
  const { mint, access } = desk;
  if (mint === undefined || access === 'readonly') return undefined;
  const clients = [...desk.registered()].map(({ client_id }) => client_id);
  return {
    // to choose from; others can be typed
    clients: clients.slice(0, mostOffered),
    users: [...desk.accounts()].map(({ sub }) => sub).slice(0, mostOffered),
    // names, each with a sentence
    defects: Object.entries(mint.defects),
    typed: { ...typedMint(typed), client: typed.get('client') ?? clients[0] ?? '' },
    // in sentences; none where it was not sent yet
    faults,
  };
}

/** What was typed, as members of a request; a number only where it is one, so that anything else is told. */
export function mintMembers(typed: URLSearchParams): Readonly<Record<string, unknown>> {
  const filled = Object.entries(typedMint(typed)).filter(([, value]) => value !== '');
  return Object.fromEntries(
    filled.map(([name, value]) => [name, name === 'lifetime' && /^-?\d{1,12}$/.test(value) ? Number(value) : value]),
  );
}

function typedMint(typed: URLSearchParams): TypedMint {
  const of = (name: string) => (typed.get(name) ?? '').trim();
  return {
    client: of('client'),
    user: of('user'),
    type: of('type'),
    scope: of('scope'),
    lifetime: of('lifetime'),
    defect: of('defect'),
  };
}
