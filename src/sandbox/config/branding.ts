import { isRecord } from '../../base/text/record.ts';
import type { Branding } from '../../protocol/clients/client.ts';
import type { Format } from './formats.ts';
import { parseJson } from './parse-json.ts';
import type { Finding } from './problem.ts';

/** Bytes of a logo; it is part of each page that shows it. */
export const largestLogo = 100_000;

/** Data URIs that browsers show as an image. SVG is only used in `<img>`, where its scripts do not run (SVG 2 §2.6). */
const imageUri = /^data:image\/(?:png|jpeg|webp|svg\+xml)(?:;charset=[\w-]+)?(?:;base64)?,\S+$/i;

const showable = 'at most 200 characters, none that controls a terminal or the direction of writing';

/** Names stand on pages where a user decides, and must not turn the words around them (Unicode UAX 9 §2). */
export function nameProblem(name: string): string | undefined {
  const isShowable = name.length <= 200 && !/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name);
  return isShowable ? undefined : showable;
}

/** Describes a valid logo; undefined for one. A path in a configuration file is a data URI by the time this is asked. */
export function logoProblem(logo: string): string | undefined {
  if (/^https?:/i.test(logo)) {
    return 'a file or a data URI: a logo is never fetched, because the host of the image would learn who signs in, and when';
  }
  if (!imageUri.test(logo))
    return 'a PNG, JPEG, WebP or SVG image as data URI, or the path of one in a configuration file';
  const most = Math.ceil((largestLogo * 4) / 3) + 100;
  return logo.length > most ? `an image of at most ${largestLogo / 1000} kB` : undefined;
}

/** Describes a valid color; undefined for one. */
export function colorProblem(color: string): string | undefined {
  return /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color) ? undefined : 'a hexadecimal color such as #0f766e';
}

const problems: Readonly<Record<keyof Branding, (text: string) => string | undefined>> = {
  name: nameProblem,
  logo: logoProblem,
  color: colorProblem,
};
const textSchema = { type: 'string', minLength: 1 };

/** `{ color: '#0f766e' }` in a file, the same as JSON in a flag or variable. */
export const branding: Format<Branding> = {
  values: 'JSON object',
  expected: 'an object with name, logo and color',
  jsonSchema: {
    type: 'object',
    properties: { name: textSchema, logo: textSchema, color: textSchema },
    additionalProperties: false,
  },
  read(raw) {
    const parsed = typeof raw === 'string' ? parseJson(raw) : { value: raw };
    if ('problem' in parsed || !isRecord(parsed.value)) {
      return { findings: [{ path: [], value: raw, expected: branding.expected }] };
    }
    const findings = Object.entries(parsed.value).flatMap(([name, value]): Finding[] => {
      if (value === undefined) return [];
      const expected = memberProblem(name, value);
      return expected === undefined ? [] : [{ path: [name], value, expected }];
    });
    return findings.length > 0 ? { findings } : { value: parsed.value as Branding }; // each member was checked
  },
};

function memberProblem(name: string, value: unknown): string | undefined {
  const problem = Object.entries(problems).find(([known]) => known === name)?.[1];
  if (problem === undefined) return 'one of name, logo and color';
  return typeof value === 'string' && value !== '' ? problem(value) : 'text';
}
