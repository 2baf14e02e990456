import type { EventOf, EventType, SandboxEvent } from '../../base/events/event.ts';
import { headerOf } from '../../base/events/exchange.ts';
import { recordIn } from '../../base/text/record.ts';

export type Completed = EventOf<'request.completed'>;

/**
 * A completed request with its events. Each part is parsed on first access. It is a class, because thousands are created at once and
 * most parts are never read.
 */
export class RecordedRequest {
  readonly event: Completed;
  /** All events of the request, oldest first. */
  readonly facts: readonly SandboxEvent[];
  #ip: string | undefined;
  #query: URLSearchParams | undefined;
  #form: URLSearchParams | undefined;
  #answer: Readonly<Record<string, unknown>> | undefined;

  constructor(event: Completed, facts: readonly SandboxEvent[]) {
    this.event = event;
    this.facts = facts;
  }

  get ip(): string {
    this.#ip ??= this.event.exchange.ip;
    return this.#ip;
  }
  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(queryOf(this.event.exchange.url));
    return this.#query;
  }
  /** The parameters of the body: a form, or the string members of a JSON object. */
  get form(): URLSearchParams {
    this.#form ??= formIn(this.event.exchange.requestBody?.text ?? '');
    return this.#form;
  }
  /** The answer as a JSON object; empty if it is not one. */
  get answer(): Readonly<Record<string, unknown>> {
    this.#answer ??= objectIn(this.event.exchange.responseBody?.text ?? '');
    return this.#answer;
  }
  /** Names and values of the cookies that the answer set. */
  get cookiesSet(): readonly (readonly [name: string, value: string])[] {
    return cookiesSetIn(this.event.exchange.responseHeaders);
  }

  /** A parameter of the form or, if missing there, of the query. An empty value counts as absent (RFC 6749 §3.1). */
  value(name: string): string | undefined {
    return this.form.get(name) || this.query.get(name) || undefined;
  }
  header(name: string): string | undefined {
    return headerOf(this.event.exchange.requestHeaders, name);
  }
  responseHeader(name: string): string | undefined {
    return headerOf(this.event.exchange.responseHeaders, name);
  }
  cookie(name: string): string | undefined {
    const pair = this.header('cookie')
      ?.split(';')
      .find(each => each.trimStart().startsWith(`${name}=`));
    return pair?.slice(pair.indexOf('=') + 1).trim();
  }
  /** The first event of one of these types. */
  fact<T extends EventType>(...types: readonly T[]): EventOf<T> | undefined {
    return this.facts.find((fact): fact is EventOf<T> => types.some(type => type === fact.type));
  }
}

/** The completed request among the events of a request; undefined if it still runs, or the log has dropped it. */
export function requestIn(facts: readonly SandboxEvent[]): RecordedRequest | undefined {
  const event = facts.find(fact => fact.type === 'request.completed');
  return event && new RecordedRequest(event, facts);
}

function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

/** Parses a JSON object; empty if the text is not one. */
export function objectIn(text: string): Readonly<Record<string, unknown>> {
  return (text.trimStart().startsWith('{') ? recordIn(text) : undefined) ?? {};
}

/** Parses a form. JSON sent by mistake is read as well, because its code still identifies the login. */
function formIn(body: string): URLSearchParams {
  if (!body.trimStart().startsWith('{')) return new URLSearchParams(body);
  const members = Object.entries(objectIn(body));
  return new URLSearchParams(members.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

function cookiesSetIn(recorded: string): RecordedRequest['cookiesSet'] {
  const lines = recorded.split('\n');
  return lines.flatMap((name, line) => {
    if (line % 2 !== 0 || name.toLowerCase() !== 'set-cookie') return [];
    const [pair = ''] = (lines[line + 1] ?? '').split(';', 1);
    const equals = pair.indexOf('=');
    return equals === -1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()] as const];
  });
}
