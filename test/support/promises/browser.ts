import { attributesOf } from '../../../src/base/text/html.ts';
import { createAgent, type Visit } from '../agent.ts';
import type { Http } from './http.ts';
import { describe } from './json.ts';

export type Browser = ReturnType<typeof createBrowser>;

/** A browser at the server under test, with an empty cookie jar. */
export function createBrowser(http: Http, issuer: string) {
  return createAgent(new URL(issuer).origin, async (url, init) => {
    const request = new Request(url, init);
    const { method, headers } = request;
    const answer = await http.send(url, {
      method,
      headers: Object.fromEntries(headers),
      body: await request.text(),
    });
    const received = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    return new Response(answer.text, { status: answer.status, headers: received });
  });
}

/** A page in a few words for messages. */
export function describePage({ status, html }: Visit): string {
  return describe({ status, text: html, headers: {} });
}

/** The answer that a page posts to the window that asked, if that one is of this origin. */
export function messageIn(html: string): { readonly origin: string; readonly message: string } | undefined {
  const tag = /<p id="message"((?:"[^"]*"|[^">])*)>/.exec(html)?.[1];
  const { 'data-origin': origin, 'data-message': message } = attributesOf(tag ?? '');
  return origin === undefined || message === undefined ? undefined : { origin, message };
}

export function framesOf(html: string): readonly string[] {
  return [...html.matchAll(/<iframe\b((?:"[^"]*"|[^">])*)>/g)].flatMap(
    ([, text]) => attributesOf(text ?? '').src ?? [],
  );
}
