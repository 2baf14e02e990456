import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { observes } from '../../../observed.ts';
import { operations } from '../../../support/tables.ts';
import { controlled } from './support.ts';

interface Documented {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: object }>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Documented>>>>;

const documented = (paths: Paths) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, each]) => ({ path, method, each })),
  );

describe('GET /_sandbox/openapi.json', () => {
  it('has every operation, each under its own name', async () => {
    observes('operation getOpenapi');
    const { call, sandbox } = await controlled();
    const { body } = await call('GET /openapi.json');
    expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: `${sandbox.issuer}/_sandbox` }] });
    const all = documented(body.paths);
    const rows = all.map(({ path, method, each }) => `${each.operationId} ${method.toUpperCase()} ${path}`);
    expect(rows.sort()).toEqual(operations.map(({ name, method, path }) => `${name} ${method} ${path || '/'}`).sort());
    expect(new Set(all.map(({ each }) => each.operationId)).size).toBe(all.length);
  });

  it('describes parameters, bodies and answers with schemas that are JSON Schema 2020-12', async () => {
    const { call } = await controlled();
    const { body } = await call('GET /openapi.json');
    const ajv = new Ajv2020({ strict: false });
    for (const { path, each } of documented(body.paths)) {
      const named = [...path.matchAll(/\{(.+?)\}/g)].map(([, name]) => name);
      const described = (each.parameters ?? []).filter(parameter => parameter.in === 'path').map(({ name }) => name);
      expect(described, path).toEqual(named);
      expect(each.summary, path).toMatch(/^[A-Z]/);
      expect(
        Object.keys(each.responses).some(status => status < '300'),
        path,
      ).toBe(true);
      for (const { schema } of Object.values(each.requestBody?.content ?? {})) {
        expect(ajv.validateSchema(schema), `${path}: ${ajv.errorsText()}`).toBe(true);
      }
    }
    const refused = (await call('POST /clients', { clint_id: 'x' })).body;
    expect(ajv.validate(body.components.schemas.Problem, refused), ajv.errorsText()).toBe(true);
    const create = body.paths['/clients'].post.requestBody.content['application/json'].schema;
    expect(create).toMatchObject({ required: ['client_id'], additionalProperties: false });
    const [limit] = body.paths['/events'].get.parameters.filter(({ name }: { name: string }) => name === 'limit');
    expect(limit).toMatchObject({
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 1000 },
    });
  });

  it('says nothing of an answer that does not come: each documented path answers', async () => {
    const { call } = await controlled();
    const { paths } = (await call('GET /openapi.json')).body as { paths: Paths };
    for (const { path, method, each } of documented(paths)) {
      if (each.operationId === 'streamEvents') continue; // does not end
      const place = path.replaceAll(/\{.+?\}/g, 'nobody').replace(/^\/$/, '');
      const sent = each.requestBody === undefined ? undefined : {};
      const { status, body } = await call(`${method.toUpperCase()} ${place}`, sent);
      expect(Object.keys(each.responses), `${method} ${path}: ${JSON.stringify(body)}`).toContain(String(status));
      expect(body?.reason).not.toBe('path_unknown');
    }
  });

  it('asks for the token where CONTROL_TOKEN is set, and is itself for everybody', async () => {
    const { call } = await controlled({ controlToken: 'open-sesame' });
    const { status, body } = await call('GET /openapi.json');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      security: [{ controlToken: [] }],
      components: { securitySchemes: { controlToken: { type: 'http', scheme: 'bearer' } } },
    });
    expect(body.paths['/openapi.json'].get.security).toEqual([]);
    expect(body.paths['/clients'].get.responses['401']).toBeDefined();
    expect(JSON.stringify(body)).not.toContain('sesame');
    expect((await call('GET /clients')).status).toBe(401);
    expect((await call('GET /clients', undefined, { authorization: 'Bearer open-sesame' })).status).toBe(200);
  });
});

describe('GET /_sandbox', () => {
  it('lists the operations with links, also with a slash at the end', async () => {
    observes('operation listOperations');
    const { call, sandbox } = await controlled({ issuers: { tenant: {} } }, '/tenant');
    for (const path of ['GET ', 'GET /']) {
      const { body } = await call(path);
      expect(body.openapi).toBe(`${sandbox.url}/tenant/_sandbox/openapi.json`);
      expect(body.operations).toContainEqual(
        expect.objectContaining({ name: 'listUsers', method: 'GET', href: `${sandbox.url}/tenant/_sandbox/users` }),
      );
    }
  });
});
