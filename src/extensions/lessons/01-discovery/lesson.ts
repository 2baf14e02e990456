import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

const metadataRead = { type: 'request.completed', endpoint: 'discovery', status: 200 } as const;

export const lesson: BuiltInLesson = {
  issuer: {},
  tasks: [
    { id: 'metadata', checks: [seen(metadataRead)] },
    { id: 'keys', checks: [chain(metadataRead, { type: 'request.completed', endpoint: 'jwks', status: 200 })] },
    {
      id: 'door',
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
