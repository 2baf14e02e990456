import type { HttpCall } from './http-call.ts';

/**
 * A request for `.http` files (JetBrains, the REST Client of VS Code, Visual Studio). The format has no quotes, so lines that
 * would begin a new request, read a file or name a variable cannot be written. A body with such a line is left out.
 */
export function asHttpFile({ method, url, headers, body }: HttpCall): string {
  const head = [`${method} ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`)].map(line => line.trimEnd());
  if (head.some(line => line.includes('{{')))
    return '# A part of the request would name a variable in such a file. Use curl instead.\n';
  if (body === undefined) return `${head.join('\n')}\n`;
  if (cannotBeWritten(body)) {
    return ['# The body has a line with a special meaning in such a file. Use curl for it.', ...head, ''].join('\n');
  }
  return `${head.join('\n')}\n\n${body}\n`;
}

function cannotBeWritten(body: string): boolean {
  return /^(?:###|<|>)|\{\{|\r/m.test(body);
}
