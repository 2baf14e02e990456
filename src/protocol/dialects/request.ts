import type { AuthorizationServer } from '../authorization-server.ts';
import type { DemandedMode } from '../dialect.ts';
import { invalidRequest } from '../errors.ts';
import { lenientParameter, type RequestParameters } from '../parameters.ts';
import { parseScope } from '../scope.ts';
import type { DialectData } from './dialect-data.ts';
import { ourScopes } from './scopes.ts';

/**
 * The parameters of a request with our names of scopes, and with the defaults of the provider. A parameter that was sent
 * twice stays as it is, because the request will be refused.
 * @throws invalid_request for a response mode that the scopes do not allow
 */
export function readRequest(
  server: Pick<AuthorizationServer, 'scopes'>,
  { requests = {}, scopes }: Pick<DialectData, 'requests' | 'scopes'>,
  parameters: RequestParameters,
): RequestParameters {
  const { defaults = {}, demandedMode } = requests;
  const missing = Object.entries(defaults).filter(([name]) => !parameters.values.get(name));
  const values = new Map([...parameters.values, ...missing]);
  const scope = ourScopes(server, scopes, values.get('scope'));
  if (scope === undefined) values.delete('scope');
  else values.set('scope', scope);
  if (demandedMode !== undefined) demandMode(demandedMode, parameters, scope);
  return { ...parameters, values };
}

function demandMode(
  { mode, scopes, description }: DemandedMode,
  parameters: RequestParameters,
  scope: string | undefined,
): void {
  const usual = lenientParameter(parameters, 'response_type')?.includes('token') ? 'fragment' : 'query';
  const sent = lenientParameter(parameters, 'response_mode') ?? usual;
  if (sent === mode || !parseScope(scope).some(each => scopes.includes(each))) return;
  throw invalidRequest('response_mode_unsupported', description, { sent, expected: mode });
}
