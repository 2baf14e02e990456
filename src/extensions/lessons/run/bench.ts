import { randomBytes } from 'node:crypto';
import type { HttpCall } from '../../../dashboard/http-call.ts';
import { s256 } from '../../../protocol/requests/pkce.ts';
import { type Field, findIn, type made, readPasted } from '../text/fields.ts';
import type { Fetch } from '../trial/agent.ts';

/** The response to a request that the page sent, or why there is none. */
export type BenchAnswer =
  | { readonly failure: string }
  | {
      readonly status: number;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: string;
      readonly requestId: string;
    };

/** The values in the boxes of a lesson, and the responses to its commands that were sent from the page. */
export type Bench = ReturnType<typeof createBench>;

const longestBody = 32_000;
const patienceMs = 10_000;

export function createBench({ issuer, send }: { readonly issuer: string; readonly send: Fetch }) {
  const values = new Map<string, string>(newPair());
  const problems = new Map<string, { readonly typed: string; readonly problem: string }>();
  const answers = new Map<string, readonly BenchAnswer[]>();
  const isOwn = belongsTo(issuer);

  async function answerTo({ method, url, headers, body }: HttpCall): Promise<BenchAnswer> {
    if (!isOwn(url)) return { failure: 'This page sends requests to your own issuer only. Use a shell for this one.' };
    const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) };
    const sent = send(new URL(url), body === undefined ? init : { ...init, body }).then(read, failed);
    return Promise.race([sent, late()]);
  }

  function paste(field: Field, text: string, beside: readonly Field[] = []): void {
    const read = readPasted(field, text);
    problems.delete(field.name);
    if ('problem' in read) problems.set(field.name, { typed: text.slice(0, 200), problem: read.problem });
    else if (read.value === '') values.delete(field.name);
    else values.set(field.name, read.value);
    for (const other of beside) {
      const found = findIn(other, text);
      if (found !== undefined) paste(other, found);
    }
  }

  return {
    values: (): Readonly<Record<string, string>> => Object.fromEntries(values),
    problem: (field: string) => problems.get(field),
    answers: (command: string) => answers.get(command) ?? [],
    /** Keeps the value in a pasted text, or the text with its problem. Nothing empties the box. Boxes `beside` take theirs. */
    paste,
    /** Sends the requests of a command in order. `fields`: the boxes that take a value from the responses. */
    async send(command: string, calls: readonly HttpCall[], fields: readonly Field[]): Promise<void> {
      const got: BenchAnswer[] = [];
      for (const call of calls) got.push(await answerTo(call));
      answers.set(command, got);
      for (const field of fields) {
        const found = got.map(answer => findIn(field, textOf(answer))).findLast(value => value !== undefined);
        if (found !== undefined) paste(field, found);
      }
    },
    /** Forgets the responses below the commands of a task. */
    forget(task: string): void {
      for (const key of answers.keys()) if (key.startsWith(`${task}-`)) answers.delete(key);
    },
  };
}

/** A verifier that nobody else has, and its challenge (RFC 7636 §4.1), for the sign-ins of a lesson. */
function newPair(): readonly (readonly [name: (typeof made)[number], value: string])[] {
  const verifier = randomBytes(32).toString('base64url');
  return [
    ['pkce_verifier', verifier],
    ['pkce_challenge', s256(verifier)],
  ];
}

/** Whether an address is one of the issuer: below its path, or its metadata before the path (RFC 8414 §3). */
function belongsTo(issuer: string): (url: string) => boolean {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return text => {
    if (!URL.canParse(text)) return false;
    const url = new URL(text);
    const below = url.pathname.replace(/^\/\.well-known\/[\w-]+(?=\/)/, '');
    return url.origin === origin && (`${below}/`.startsWith(`${path}/`) || `${url.pathname}/`.startsWith(`${path}/`));
  };
}

async function read(response: Response): Promise<BenchAnswer> {
  const { status, headers } = response;
  const body = (await response.text()).slice(0, longestBody);
  return { status, headers: [...headers], body, requestId: headers.get('x-request-id') ?? '' };
}

function failed(error: unknown): BenchAnswer {
  return { failure: `There was no response: ${error instanceof Error ? error.message : String(error)}.` };
}

async function late(): Promise<BenchAnswer> {
  await new Promise(resolve => setTimeout(resolve, patienceMs).unref());
  return { failure: 'There is no response yet. Somebody may hold it at a breakpoint.' };
}

function textOf(answer: BenchAnswer): string {
  if ('failure' in answer) return '';
  return `${answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${answer.body}`;
}
