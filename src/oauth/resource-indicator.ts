import { invalidTarget } from './errors.ts';
import { shorten } from './parameters.ts';
import { foreignScopes as notIn } from './scope.ts';

/**
 * RFC 8707 §2: absolute URIs without a fragment; at the token endpoint only some of what was granted. Which APIs exist is
 * not checked: the sandbox's user brings their own.
 * @throws invalid_target
 */
export function checkResources(resources: readonly string[], granted: readonly string[] = []): readonly string[] {
  for (const resource of resources) {
    if (!URL.canParse(resource) || resource.includes('#')) {
      const description = 'resource must be an absolute URI without a fragment';
      throw invalidTarget('resource_invalid', description, {
        sent: shorten(resource),
        expected: 'https://api.example',
      });
    }
  }
  if (resources.length === 0) return granted;
  const [foreign] = granted.length === 0 ? [] : notIn(resources, granted);
  if (foreign !== undefined) {
    const description = 'resource was not part of the authorization request';
    throw invalidTarget('resource_invalid', description, { sent: shorten(foreign), expected: granted.join(' ') });
  }
  return [...new Set(resources)];
}
