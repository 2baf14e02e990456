import { chain, seen } from '../checks/check.ts';
import { lessonCode } from '../lesson.ts';

const metadataRead = { type: 'request.completed', endpoint: 'discovery', status: 200 } as const;

export const lesson = lessonCode({
  issuer: {},
  tasks: [
    { id: 'metadata', checks: [seen(metadataRead)] },
    { id: 'keys', checks: [chain(metadataRead, { type: 'request.completed', endpoint: 'jwks', status: 200 })] },
    { id: 'door', checks: [seen({ type: 'error.returned', endpoint: 'token' })] },
  ],
});
