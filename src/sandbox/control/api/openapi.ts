import type { JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { defined } from '../../../base/defined.ts';
import { jsonSchemaOf } from '../../config/json-schema.ts';
import { mostValues } from '../../config/large-value.ts';
import { optional, text } from '../described.ts';
import type { AnswerDescription, Operation } from './operation.ts';

export interface OpenapiFacts {
  /** Where the API is: `http://localhost:9000/_sandbox`. */
  readonly server: string;
  readonly version: string;
  readonly label: string;
  /** True if `CONTROL_TOKEN` is set. */
  readonly needsToken: boolean;
}

/** RFC 9457, with what was sent and what was expected of each member. */
const problem = v.looseObject({
  type: v.string(),
  title: text('The OAuth error code that fits best'),
  status: v.number(),
  detail: text('A sentence'),
  reason: text('The exact reason, from a closed list'),
  sent: v.optional(v.string()),
  expected: v.optional(v.string()),
  errors: v.optional(
    v.array(
      v.object({
        member: text('The member, such as `redirect_uris[0]`; empty if the whole body is wrong'),
        sent: optional(v.string(), 'The value sent; `***` for a secret, absent if nothing was sent'),
        expected: v.string(),
        nearest: optional(v.string(), 'The most similar known name'),
      }),
    ),
  ),
});

const refusals: Readonly<Record<number, string>> = {
  400: 'The request is not valid; the body says why',
  401: 'CONTROL_TOKEN is set, and the request did not send it',
  403: 'The request comes from a page of a different origin',
  404: 'The resource in the path does not exist',
  413: `The body is larger than 1 MiB, or has more than ${mostValues} values: lists, objects and the values inside all count`,
  415: 'The body is not JSON',
};

/** The whole API as an OpenAPI 3.1 document, from the schemas that check what is sent. */
export function openapiDocument(operations: readonly Operation[], facts: OpenapiFacts): object {
  const { label, needsToken } = facts;
  const paths = [...new Set(operations.map(({ path }) => path))];
  return {
    openapi: '3.1.0',
    info: {
      title: `Grantbox control API: ${label}`,
      version: facts.version,
      description:
        'Tests and pipelines control a running sandbox with this API. Each issuer has its own API below its path. CONTROL_TOKEN protects the API and the dashboard. DASHBOARD=readonly does not restrict the API.',
    },
    servers: [{ url: facts.server }],
    paths: Object.fromEntries(paths.map(path => [path === '' ? '/' : path, pathItem(path, operations, needsToken)])),
    components: {
      schemas: { Problem: jsonSchemaOf(problem) },
      ...(needsToken ? { securitySchemes: { controlToken: { type: 'http', scheme: 'bearer' } } } : {}),
    },
    ...(needsToken ? { security: [{ controlToken: [] }] } : {}),
  };
}

function pathItem(path: string, operations: readonly Operation[], needsToken: boolean): object {
  const here = operations.filter(each => each.path === path);
  return Object.fromEntries(here.map(each => [each.method.toLowerCase(), operationObject(each, needsToken)]));
}

function operationObject(operation: Operation, needsToken: boolean): object {
  const { name, summary, body, isOpen, path } = operation;
  const parameters = [...pathParameters(path), ...queryParameters(operation.query)];
  const tag = path.split('/')[1];
  return {
    operationId: name,
    summary,
    ...(tag ? { tags: [tag] } : {}),
    ...(isOpen ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { content: { 'application/json': { schema: jsonSchemaOf(body) } } } }),
    responses: responsesOf(operation, needsToken),
  };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(.+?)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: v.GenericSchema | undefined): object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(query);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema; // of an object there are no true and false
    const isRequired = required.includes(name);
    return { name, in: 'query', required: isRequired, ...defined({ description }), schema };
  });
}

function responsesOf({ answers, method, isOpen, path, body, query }: Operation, needsToken: boolean): object {
  const own = Object.entries(answers).map(([status, answer]) => [status, responseOf(Number(status), answer)] as const);
  const applies = (status: number) => {
    if (status === 400) return body !== undefined || query !== undefined;
    if (status === 401) return needsToken && !isOpen;
    if (status === 404) return path.includes('{');
    if (status === 403) return true;
    return method !== 'GET' && method !== 'DELETE';
  };
  const common = Object.entries(refusals)
    .filter(([status]) => applies(Number(status)) && answers[Number(status)] === undefined)
    .map(([status, description]) => [status, responseOf(Number(status), { description })] as const);
  return Object.fromEntries([...own, ...common]);
}

function responseOf(status: number, { description, schema, type }: AnswerDescription): object {
  if (schema !== undefined) {
    return { description, content: { [type ?? 'application/json']: { schema: jsonSchemaOf(schema) } } };
  }
  if (type !== undefined) return { description, content: { [type]: { schema: { type: 'string' } } } };
  if (status < 400) return { description };
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return { description, content };
}
