import { defined } from '../../base/defined.ts';
import { nearestName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import { type Feature, featureNames } from '../../protocol/feature.ts';
import { type Format, onOff } from './formats.ts';
import type { Finding } from './problem.ts';

export type FeatureSwitches = Readonly<Partial<Record<Feature, boolean>>>;

/** `{ device: false }` in a file, `device=off,password=on` as text. */
export const featureSwitches: Format<FeatureSwitches> = {
  values: 'name=on, name=off',
  expected: 'features with on or off, such as device=off,ciba=off',
  jsonSchema: {
    type: 'object',
    properties: Object.fromEntries(featureNames.map(name => [name, onOff.jsonSchema])),
    additionalProperties: false,
  },
  isList: true,
  read(raw) {
    const pairs = toPairs(raw);
    if (pairs === undefined || (pairs.length === 0 && !isRecord(raw)))
      return { findings: [{ path: [], value: raw, expected: featureSwitches.expected }] };
    const findings: Finding[] = [];
    const switches: Partial<Record<Feature, boolean>> = {};
    for (const [name, state] of pairs) {
      const feature = featureNames.find(known => known === name);
      const reading = onOff.read(state);
      if (feature === undefined) findings.push(unknownFeature(name));
      else if ('findings' in reading) findings.push({ path: [name], value: state, expected: 'on or off' });
      else switches[feature] = reading.value;
    }
    return findings.length > 0 ? { findings } : { value: switches };
  },
};

function toPairs(raw: unknown): (readonly [name: string, state: unknown])[] | undefined {
  if (isRecord(raw)) return Object.entries(raw).filter(([, state]) => state !== undefined);
  const parts: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  if (!parts.every(part => typeof part === 'string')) return undefined;
  const words = parts.flatMap(part => part.split(/[\s,]+/)).filter(word => word !== '');
  return words.map(word => {
    const [name = '', state = 'nothing'] = word.split('=', 2); // a name alone is neither on nor off
    return [name, state] as const;
  });
}

function unknownFeature(name: string): Finding {
  const nearest = nearestName(name, featureNames);
  return { path: [name], expected: `one of ${featureNames.join(', ')}`, ...defined({ nearest }) };
}
