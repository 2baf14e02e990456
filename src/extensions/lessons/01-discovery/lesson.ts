import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

const metadataRead = { type: 'request.completed', endpoint: 'discovery', status: 200 } as const;

export const lesson: BuiltInLesson = {
  issuer: {},
  tasks: [
    {
      id: 'metadata',
      close: {
        path_unknown:
          'There is nothing at this address. The metadata is at the issuer with `/.well-known/openid-configuration` after it.',
        endpoint:
          'That was a different address. The metadata is at the issuer with `/.well-known/openid-configuration` after it.',
      },
      checks: [seen(metadataRead)],
    },
    {
      id: 'keys',
      close: {
        path_unknown: 'There is nothing at this address. The metadata names the address of the keys: `jwks_uri`.',
        endpoint: 'That is not the address of the keys. The metadata names it: `jwks_uri`.',
      },
      checks: [chain(metadataRead, { type: 'request.completed', endpoint: 'jwks', status: 200 })],
    },
    {
      id: 'door',
      close: {
        method_not_allowed: "The endpoint takes a POST. `curl -d ''` sends an empty form, and makes the request one.",
        content_type_unsupported: 'The endpoint takes a form, not JSON.',
        grant_type: 'The form was not empty.',
        path_unknown: 'There is nothing at this address. The metadata names the endpoint: `token_endpoint`.',
      },
      checks: [
        seen({
          type: 'error.returned',
          endpoint: 'token',
          reason: 'client_unidentified',
          request: { method: 'POST', parameter: { grant_type: { present: false } } },
        }),
      ],
    },
  ],
};
