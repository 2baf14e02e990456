import type { Desk } from '../desk.ts';

/** The fields of the form; an empty field keeps its default. */
const fields = ['client', 'user', 'type', 'scope', 'lifetime', 'defect'];

/** Presets, each minted by one button. */
const mintPresets: readonly MintPreset[] = [
  { name: 'short', words: '10 seconds', members: { lifetime: 10 } },
  { name: 'expired', words: 'Expired', members: { defect: 'expired' } },
  { name: 'admin', words: 'Admin', members: { claims: { roles: ['admin'] } } },
  { name: 'audience', words: 'Wrong audience', members: { defect: 'wrong_audience' } },
];

interface MintPreset {
  readonly name: string;
  /** Text of the button. */
  readonly words: string;
  /** Members of the mint request; they override those of the fields. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Longer lists are not useful to choose from. */
const mostOffered = 50;

/** The mint form with its choices; undefined if minting is not available. */
export function mintForm(desk: Desk, typed = new URLSearchParams(), faults: readonly string[] = []) {
  const { mint, access } = desk;
  if (mint === undefined || access === 'readonly') return undefined;
  const clients = [...desk.registered()].map(({ client_id }) => client_id);
  const users = [...desk.accounts()].map(({ sub }) => sub);
  return {
    // to choose from; others can be typed
    clients: clients.slice(0, mostOffered),
    users: users.slice(0, mostOffered),
    presets: mintPresets,
    // names, each with a sentence
    defects: Object.entries(mint.defects),
    typed: {
      ...typedMint(typed),
      client: typed.get('client') ?? clients[0] ?? '',
      user: typed.get('user') ?? users[0] ?? '',
    },
    // sentences about what was sent
    faults,
  };
}

/** The members of a mint request: the fields, overridden by the chosen preset. An invalid lifetime stays text, so that the error can quote it. */
export function mintMembers(typed: URLSearchParams): Readonly<Record<string, unknown>> {
  const filled = Object.entries(typedMint(typed)).filter(([, value]) => value !== '');
  const preset = mintPresets.find(({ name }) => name === typed.get('preset'));
  const members = filled.map(([name, value]) => [
    name,
    name === 'lifetime' && /^-?\d{1,12}$/.test(value) ? Number(value) : value,
  ]);
  return { ...Object.fromEntries(members), ...preset?.members };
}

function typedMint(typed: URLSearchParams) {
  return Object.fromEntries(fields.map(name => [name, (typed.get(name) ?? '').trim()]));
}
