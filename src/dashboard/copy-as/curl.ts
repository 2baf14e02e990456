import type { HttpCall } from './http-call.ts';

/** A command for a POSIX shell. Neither the shell nor curl expands anything in it: no variable, no `@file`, no `{a,b}`. */
export function asCurl({ method, url, headers, body }: HttpCall): string {
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const parts = [
    `curl ${[...methodOf(method, body), ...urlFlags(url), quote(url)].join(' ')}`,
    ...headers.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // curl would label any body as a form
    ...(body === undefined || hasType ? [] : [`-H 'Content-Type:'`]),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

function methodOf(method: string, body: string | undefined): string[] {
  if (method === 'HEAD') return ['--head'];
  const implied = body === undefined ? 'GET' : 'POST';
  return method === implied ? [] : ['-X', quote(method)];
}

function urlFlags(url: string): string[] {
  return [...(/[[\]{}]/.test(url) ? ['--globoff'] : []), ...(/\/\.{1,2}(?:\/|$|\?)/.test(url) ? ['--path-as-is'] : [])];
}

/** Quotes a word for a POSIX shell. In single quotes, only the quote itself must be escaped. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
