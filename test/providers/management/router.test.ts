import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventLog } from '../../../src/base/events/event-log.ts';
import type { EndpointRequest } from '../../../src/protocol/endpoints/endpoint.ts';
import { invalidToken, OAuthError } from '../../../src/protocol/errors.ts';
import {
  call,
  created,
  done,
  entryTaken,
  entryUnknown,
  inputInvalid,
  json,
  type ManagementCall,
  refusedChange,
} from '../../../src/providers/management/call.ts';
import { createManagement } from '../../../src/providers/management/router.ts';
import type { Adapter } from '../../../src/server/http/adapter.ts';
import { type Answer, jsonAnswer } from '../../../src/server/http/answer.ts';
import type { ErrorForm } from '../../../src/server/http/error-replies.ts';

interface Shelf {
  readonly books: Map<string, string>;
}

const calls: readonly ManagementCall<Shelf>[] = [
  call('GET /v1/ping', 'answers anybody', undefined, () => json({ pong: true })),
  call(
    'POST /v1/login',
    'reads a form',
    undefined,
    ({ body }) => json({ user: (body as URLSearchParams).get('user') }),
    {
      form: true,
    },
  ),
  call('GET /v1/books', 'the number of books', ['read', 'write'], (_, { books }) => json(books.size)),
  call('POST /v1/books/{book}', 'adds a book', ['write'], ({ names, body }, { books }) => {
    if (books.has(names.book ?? '')) throw entryTaken('this book exists');
    books.set(names.book ?? '', JSON.stringify(body));
    return created(`/v1/books/${names.book}`);
  }),
  call('GET /v1/books/{book}', 'a book', ['read'], ({ names, query }, { books }) => {
    const title = books.get(names.book ?? '');
    if (title === undefined) throw entryUnknown('no such book', names.book);
    return json({ title, as: query.get('as') });
  }),
  call('DELETE /v1/books/{book}', 'removes a book', ['write'], ({ body }) => {
    if (JSON.stringify(body) === '{}') throw inputInvalid('say why');
    return done;
  }),
];

/** Errors as a provider might write them. */
const form: ErrorForm = {
  name: 'json',
  answer: async ({ status, reason, description, details }) =>
    jsonAnswer(status, { reason, description, expected: details.expected }),
};

/** Of the adapter, the router uses these two. */
const adapter: Pick<Adapter, 'answering' | 'endpointRequest'> = {
  answering: (errors, work) => (req, res) => {
    const refused = (error: unknown) => {
      if (!(error instanceof OAuthError)) throw error;
      return errors.answer(error, {} as Parameters<ErrorForm['answer']>[1]); // the form above reads nothing of it
    };
    const send = (answer: Answer) => res.writeHead(answer.status, answer.headers).end(answer.body);
    work(req, {} as Parameters<typeof work>[1]) // the router reads nothing of it
      .catch(refused)
      .then(outcome => send(outcome as Answer)); // no row answers with a reply
  },
  endpointRequest: req => ({ authorization: req.headers.authorization }) as EndpointRequest,
};

let server: Server;
let url: string;
beforeAll(async () => {
  const events = createEventLog({ capacity: 1, now: () => 0 });
  const handle = createManagement<Shelf>({
    title: 'Library',
    issuer: { adapter: adapter as Adapter, address: 'http://localhost/base', events, inTurn: work => work() },
    calls,
    place: { books: new Map([['dune', '"Dune"']]) },
    form,
    async authenticate({ authorization = '' }) {
      const [, rights = ''] = /^Bearer (.+)$/.exec(authorization) ?? [];
      if (rights === '') throw invalidToken('access_token_missing', 'no token');
      return { name: 'somebody', has: right => rights.split(',').includes(right) };
    },
  });
  server = createServer(handle);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/v1`;
});
afterAll(() => server.close());

async function ask(method: string, path: string, rights?: string, body?: string, headers = {}) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(rights === undefined ? {} : { authorization: `Bearer ${rights}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    location: response.headers.get('location'),
    body: text === '' ? '' : JSON.parse(text),
  };
}

describe('a management API', () => {
  it.each(['/nothing', '/books/dune/pages', '/books/dune/emma/pages'])(
    'names no call for %s, which is like none',
    async path => {
      expect((await ask('GET', path, 'read', undefined)).body).not.toHaveProperty('expected');
    },
  );

  it.each([
    ['GET', '/ping', undefined, undefined, 200, { pong: true }],
    ['GET', '/ping/', undefined, undefined, 200, { pong: true }],
    ['GET', '/books', 'read', undefined, 200, 1],
    ['GET', '/books/dune?as=text&as=html', 'read', undefined, 200, { title: '"Dune"', as: 'text' }],
    ['GET', '/books', undefined, undefined, 401, { reason: 'access_token_missing' }],
    ['GET', '/nothing', undefined, undefined, 401, { reason: 'access_token_missing' }],
    ['GET', '/books/dune', 'write', undefined, 403, { reason: 'management_right_missing', expected: 'read' }],
    ['POST', '/books/emma', 'read', '{', 403, { reason: 'management_right_missing' }],
    ['POST', '/books/emma', 'write', '{', 400, { reason: 'body_malformed' }],
    ['POST', '/books/dune', 'write', '{}', 409, { description: 'this book exists' }],
    ['GET', '/books/emma', 'read', undefined, 404, { description: 'no such book' }],
    ['DELETE', '/books/dune', 'write', undefined, 400, { description: 'say why' }],
    ['DELETE', '/books/dune', 'write', '["worn"]', 204, ''],
    ['GET', '/nothing', 'read', undefined, 501, { reason: 'not_offered' }],
    ['GET', '/pings', 'read', undefined, 501, { reason: 'not_offered', expected: 'GET /v1/ping' }],
    ['GET', '/books/dune/pages', 'read', undefined, 501, { reason: 'not_offered' }],
    ['PUT', '/books/dune', 'read', undefined, 501, { expected: 'POST /v1/books/{book}' }],
    ['GET', '/books/%zz', 'read', undefined, 501, { reason: 'not_offered' }],
  ])('answers %s %s with the rights %s and the body %s: %i', async (method, path, rights, sent, status, body) => {
    const found = await ask(method, path, rights, sent);
    expect(found.status).toBe(status);
    if (typeof body === 'object') expect(found.body).toMatchObject(body);
    else expect(found.body).toBe(body);
  });

  it('says where a new entry is, and answers HEAD as GET', async () => {
    expect(await ask('POST', '/books/a%2Fb', 'write', '"A"')).toMatchObject({ status: 201, location: '/v1/books/a/b' });
    expect((await ask('HEAD', '/books/dune', 'read')).status).toBe(200);
  });

  it('reads a form where a call has one', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ask('POST', '/login', undefined, 'user=ann', headers)).body).toEqual({ user: 'ann' });
    expect((await ask('POST', '/login', undefined, '{}')).status).toBe(415);
  });

  it('refuses pages of other sites before all else', async () => {
    for (const path of ['/ping', '/books', '/nothing'])
      expect(await ask('GET', path, 'read', undefined, { origin: 'https://attacker.test' })).toMatchObject({
        status: 403,
        body: { reason: 'foreign_origin' },
      });
  });
});

describe('a change that the rules of the configuration refuse', () => {
  it('is 409 with the words for a taken name, otherwise 400 with the first problem', () => {
    const problems = [{ member: 'sub', sent: 'x', expected: 'another' }];
    expect(refusedChange(problems, 'it exists')).toMatchObject({ status: 409, description: 'it exists' });
    expect(refusedChange(problems, undefined)).toMatchObject({ status: 400, description: 'sub: expected another' });
  });
});
