import { defined } from '../../base/defined.ts';
import { nearestName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import type { Format } from '../../sandbox/config/formats.ts';
import type { Finding } from '../../sandbox/config/problem.ts';
import { type PresetChoice, type PresetName, presetNames, presetRow } from '../preset-names.ts';

/** The form in a file: a name, or a name with options. */
export type PresetEntry = PresetName | ({ readonly name: PresetName } & Readonly<Record<string, string>>);

/** `{ name: 'keycloak', realm: 'shop' }` in a file, `keycloak,realm=shop` as text. */
export const presetChoice: Format<PresetChoice, PresetEntry> = {
  values: presetNames.join(', '),
  expected: `a provider (${presetNames.join(', ')}), and its options, such as keycloak,realm=shop`,
  jsonSchema: {
    anyOf: [
      { enum: presetNames },
      {
        type: 'object',
        properties: { name: { enum: presetNames } },
        required: ['name'],
        additionalProperties: { type: 'string' },
      },
    ],
  },
  read(raw) {
    const { name: typed, ...given } = membersOf(raw);
    const name = presetNames.find(known => known === typed);
    if (name === undefined) return { findings: [{ path: [], value: raw, ...expectedName(typed) }] };
    const { options: defaults, forms } = presetRow({ name });
    const known = Object.keys(defaults);
    const findings = Object.entries(given).flatMap(([option, value]) => faultOf(option, value, known, forms?.[option]));
    // a value that is not text is a finding
    return findings.length > 0
      ? { findings }
      : { value: { name, options: { ...defaults, ...(given as Record<string, string>) } } };
  },
};

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

function expectedName(typed: unknown): Pick<Finding, 'expected' | 'nearest'> {
  const nearest = typeof typed === 'string' ? nearestName(typed, presetNames) : undefined;
  return { expected: presetChoice.expected, ...defined({ nearest }) };
}

/** Most options become parts of paths and of names in tokens. */
const optionForm: readonly [form: RegExp, expected: string] = [
  /^(?!\.+$)[A-Za-z0-9._~-]{1,64}$/,
  'letters, digits and . _ ~ - (at most 64)',
];

function faultOf(option: string, value: unknown, known: readonly string[], [form, expected] = optionForm): Finding[] {
  if (!known.includes(option)) {
    const nearest = nearestName(option, known);
    return [{ path: [option], value, expected: `one of the options ${known.join(', ')}`, ...defined({ nearest }) }];
  }
  return typeof value === 'string' && form.test(value) ? [] : [{ path: [option], value, expected }];
}
