import { describe, expect, it } from 'vitest';
import { checkResources } from '../../../src/protocol/requests/requested-access.ts';
import { createTestServer } from '../../support/server.ts';

const { server } = createTestServer({ clients: [] });

describe('resource (RFC 8707 §2)', () => {
  it.each(['https://api.example', 'http://localhost:9000/api', 'urn:example:api', 'https://api.example/x?y=z'])(
    'is taken: %s',
    resource => {
      expect(checkResources(server, [resource])).toEqual([resource]);
    },
  );

  it.each(['api', '/api', 'https://', 'https://api.example/#x', 'https://api.example#', ''])(
    'is invalid_target: %j',
    resource => {
      expect(() => checkResources(server, [resource])).toThrow('invalid_target');
    },
  );

  it('counts once when it comes twice', () => {
    expect(checkResources(server, ['urn:a', 'urn:b', 'urn:a'])).toEqual(['urn:a', 'urn:b']);
  });

  it('is the granted one if none is sent', () => {
    expect(checkResources(server, [], ['urn:a'])).toEqual(['urn:a']);
  });

  it('narrows the granted ones, and does not widen them', () => {
    expect(checkResources(server, ['urn:a'], ['urn:a', 'urn:b'])).toEqual(['urn:a']);
    expect(() => checkResources(server, ['urn:c'], ['urn:a', 'urn:b'])).toThrow('invalid_target');
  });

  it('may be named later where none was granted', () => {
    expect(checkResources(server, ['urn:a'], [])).toEqual(['urn:a']);
  });
});
