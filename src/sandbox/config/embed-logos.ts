import { readFileSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { isRecord } from '../../base/text/record.ts';
import { largestLogo } from './branding.ts';
import type { Document } from './documents.ts';
import { type ConfigProblem, type Path, toProblem } from './problem.ts';

const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
};

/** The first bytes of each type, as Latin-1 text. */
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
  'image/svg+xml': /<svg[\s>]/,
};

/**
 * The document with the logo files of its `branding` replaced by data URIs, and a problem for each file that is not a
 * logo.
 */
export function embedLogos(document: Document): { readonly document: Document; readonly problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const { folder = '' } = document;

  function branded(holder: unknown, path: Path): unknown {
    if (!isRecord(holder)) return holder;
    const { branding, clients, issuers } = holder;
    return {
      ...holder,
      ...(isRecord(branding) ? { branding: embedded(branding, [...path, 'branding']) } : {}),
      ...(Array.isArray(clients)
        ? { clients: clients.map((client, index) => branded(client, [...path, 'clients', index])) }
        : {}),
      ...(isRecord(issuers) ? { issuers: eachOf(issuers, [...path, 'issuers']) } : {}),
    };
  }

  function eachOf(issuers: Readonly<Record<string, unknown>>, path: Path): Record<string, unknown> {
    return Object.fromEntries(Object.entries(issuers).map(([name, each]) => [name, branded(each, [...path, name])]));
  }

  function embedded({ logo, ...others }: Readonly<Record<string, unknown>>, path: Path): Record<string, unknown> {
    if (typeof logo !== 'string' || /^(?:data|https?):/i.test(logo))
      return { ...others, ...(logo === undefined ? {} : { logo }) };
    const read = dataUri(resolve(folder, logo));
    if ('uri' in read) return { ...others, logo: read.uri };
    problems.push(toProblem(document.name, { path: [...path, 'logo'], value: logo, expected: read.problem }));
    return others;
  }

  const content = branded(document.content, []);
  return { document: isRecord(content) ? { ...document, content } : document, problems };
}

function dataUri(path: string): { readonly uri: string } | { readonly problem: string } {
  const type = types[extname(path).toLowerCase()];
  if (type === undefined) return { problem: `a file ending in ${Object.keys(types).join(', ')}` };
  try {
    const about = statSync(path);
    if (!about.isFile()) return { problem: 'a file' };
    if (about.size > largestLogo)
      return { problem: `an image of at most ${largestLogo / 1000} kB; this one has ${about.size} bytes` };
    const bytes = readFileSync(path);
    if (beginnings[type]?.test(bytes.toString('latin1')) !== true) return { problem: `a file with a ${type} image` };
    return { uri: `data:${type};base64,${bytes.toString('base64')}` };
  } catch {
    return {
      problem: 'a file that exists and can be read; a relative path starts at the folder of the configuration file',
    };
  }
}
