import type { HttpCall } from './http-call.ts';

/** A `fetch` call for Node, Deno, Bun or the console of a browser, which sets `Cookie` and `Origin` itself. */
export function asFetch({ method, url, headers, body }: HttpCall): string {
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${literal(method)},`]),
    ...headersLines(headers),
    ...(body === undefined ? [] : [`body: ${literal(body)},`]),
    `redirect: 'manual',`,
  ];
  return [
    `const response = await fetch(${literal(url)}, {`,
    ...lines.map(line => `  ${line}`),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function headersLines(headers: HttpCall['headers']): string[] {
  if (headers.length === 0) return [];
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  // an object cannot have the same name twice
  if (names.size < headers.length) {
    return ['headers: [', ...headers.map(([name, value]) => `  [${literal(name)}, ${literal(value)}],`), '],'];
  }
  return ['headers: {', ...headers.map(([name, value]) => `  ${literal(name)}: ${literal(value)},`), '},'];
}

/** A JavaScript string, in single quotes if that needs no escaping. */
function literal(text: string): string {
  const json = JSON.stringify(text);
  return /["'\\]/.test(text) || json.length !== text.length + 2 ? json : `'${text}'`;
}
