import type { HttpCall } from './http-call.ts';

/**
 * A request for `.http` files (JetBrains, the REST Client of VS Code, Visual Studio). They have no quotes: a line that would
 * begin another request, read a file or name a variable cannot be written, and a body with one is left out.
 */
export function asHttpFile({ method, url, headers, body }: HttpCall): string {
  const head = [`${method} ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`)].map(line => line.trimEnd());
  if (head.some(line => line.includes('{{'))) return '# It has what would name a variable in such a file: use curl.\n';
  if (body === undefined) return `${head.join('\n')}\n`;
  if (cannotBeWritten(body)) {
    return ['# The body has a line that means something else in such a file: use curl for it.', ...head, ''].join('\n');
  }
  return `${head.join('\n')}\n\n${body}\n`;
}

function cannotBeWritten(body: string): boolean {
  return /^(?:###|<|>)|\{\{|\r/m.test(body);
}
