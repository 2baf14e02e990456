import type { ClaimsRequest } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { OAuthError } from '../errors.ts';
import { shorten } from '../parameters.ts';

interface Asked {
  readonly acr_values: readonly string[];
  readonly claims?: ClaimsRequest;
}

/** The `acr` values of which one is essential (OIDC Core §5.5.1.1); undefined if none is. */
export function essentialAcr({ claims }: Pick<Asked, 'claims'>): readonly string[] | undefined {
  const request = claims?.id_token?.acr ?? claims?.userinfo?.acr;
  const values = acrOf(request);
  return request?.essential === true && values.length > 0 ? values : undefined;
}

function acrOf(request: { readonly value?: unknown; readonly values?: readonly unknown[] } | null = null): string[] {
  const values = request?.values ?? (request?.value === undefined ? [] : [request.value]);
  return values.filter(value => typeof value === 'string');
}

const longestAcr = 200;

/** The requested `acr` values that a login here can reach, best first. */
export function reachableAcr({ acrValues }: Pick<AuthorizationServer, 'acrValues'>, asked: Asked): readonly string[] {
  const essential = essentialAcr(asked);
  const voluntary = acrOf(asked.claims?.id_token?.acr);
  const wanted = essential === undefined ? [...asked.acr_values, ...voluntary] : preferred(essential, asked.acr_values);
  return wanted.filter(acr => acr.length <= longestAcr && (acrValues.length === 0 || acrValues.includes(acr)));
}

/** Orders the essential values by `acr_values`, which lists them by preference. */
function preferred(essential: readonly string[], acrValues: readonly string[]): string[] {
  return [...acrValues.filter(acr => essential.includes(acr)), ...essential.filter(acr => !acrValues.includes(acr))];
}

/** @throws unmet_authentication_requirements (RFC 9470 §5) if no login here can reach an essential value */
export function checkEssentialAcr(server: AuthorizationServer, asked: Asked): void {
  const essential = essentialAcr(asked);
  if (essential === undefined || reachableAcr(server, asked).length > 0) return;
  const description = 'no sign-in at this server can reach an acr that the claims parameter marks as essential';
  throw new OAuthError('unmet_authentication_requirements', 'acr_unmet', description, {
    sent: shorten(essential.join(' ')),
    expected: server.acrValues.join(' ') || `at most ${longestAcr} characters`,
  });
}
