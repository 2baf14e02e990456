import { defined } from '../../base/defined.ts';
import { nearestName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import { listing } from '../../base/text/words.ts';
import type { Format } from './formats.ts';
import type { Finding } from './problem.ts';
import { chosenOf, type PresetChoice, type PresetEntry, type ProviderTraits } from './provider-traits.ts';

/** `{ name: 'keycloak', realm: 'shop' }` in a file, `keycloak,realm=shop` as text. */
export function presetChoice(providers: readonly ProviderTraits[]): Format<PresetChoice, PresetEntry> {
  const names = providers.map(({ name }) => name);
  const example = exampleOf(providers);
  const such = example === undefined ? '' : `, such as ${example.text}`;
  const expected = `a provider (${names.join(', ')}), and its options${such}`;
  return {
    values: names.join(', '),
    expected,
    jsonSchema: {
      anyOf: [
        { enum: names },
        {
          type: 'object',
          properties: { name: { enum: names } },
          required: ['name'],
          additionalProperties: { type: 'string' },
        },
      ],
    },
    read(raw) {
      const { name: typed, ...given } = membersOf(raw);
      const name = names.find(known => known === typed);
      const provider = chosenOf(providers, name && { name });
      if (name === undefined || provider === undefined) {
        const nearest = typeof typed === 'string' ? nearestName(typed, names) : undefined;
        return { findings: [{ path: [], value: raw, expected, ...defined({ nearest }) }] };
      }
      const { options: defaults, forms } = provider;
      const known = Object.keys(defaults);
      const findings = Object.entries(given).flatMap(([option, value]) =>
        problemOf(option, value, known, forms?.[option]),
      );
      // a value that is not text is a finding
      return findings.length > 0
        ? { findings }
        : { value: { name, options: { ...defaults, ...(given as Record<string, string>) } } };
    },
  };
}

/** The help of the setting. */
export function presetHelp(providers: readonly ProviderTraits[]): string {
  const example = exampleOf(providers);
  const shapes = providers.flatMap(({ name, isShape }) => (isShape ? [name] : []));
  return [
    `Speaks like this provider, so that its SDKs work${example === undefined ? '' : `: ${example.name}, or ${example.text}`}`,
    ...(shapes.length === 0 ? [] : [`${listing(shapes, 'and')} are only shapes of tokens`]),
  ].join('. ');
}

/** The first example that a provider has, for help. */
export function exampleOf(
  providers: readonly ProviderTraits[],
): { readonly name: string; readonly text: string } | undefined {
  const [first] = providers.flatMap(({ name, example }) => (example === undefined ? [] : [{ name, example }]));
  return first && { name: first.name, text: `${first.name},${first.example}` };
}

function membersOf(raw: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(raw)) return raw;
  if (typeof raw !== 'string') return {};
  const [name, ...options] = raw.split(',').map(part => part.trim());
  const pairs = options.map(option => option.split(/=(.*)/s, 2));
  const twice = pairs.filter(([option], at) => pairs.findIndex(([other]) => other === option) !== at);
  // a list is no value of an option, so it is refused with both values
  const lists = twice.map(([option]) => [
    option,
    pairs.filter(([other]) => other === option).map(([, value]) => value),
  ]);
  return { ...Object.fromEntries(pairs), ...Object.fromEntries(lists), name };
}

/** Most options become parts of paths and of names in tokens. */
const optionForm: readonly [form: RegExp, expected: string] = [
  /^(?!\.+$)[A-Za-z0-9._~-]{1,64}$/,
  'letters, digits and . _ ~ - (at most 64)',
];

function problemOf(option: string, value: unknown, known: readonly string[], [form, expected] = optionForm): Finding[] {
  if (!known.includes(option)) {
    const nearest = nearestName(option, known);
    return [{ path: [option], value, expected: `one of the options ${known.join(', ')}`, ...defined({ nearest }) }];
  }
  return typeof value === 'string' && form.test(value) ? [] : [{ path: [option], value, expected }];
}
