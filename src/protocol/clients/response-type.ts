import type { AuthorizationServer } from '../authorization-server.ts';
import { type ResponseType, responseTypes } from './client.ts';

/** Response types offered here. OAuth 2.1 removes all but `code`, and FAPI 2.0 §5.3.2.2 allows only `code`. */
export function responseTypesSupported({
  features,
  profile,
}: Pick<AuthorizationServer, 'features' | 'profile'>): readonly ResponseType[] {
  return features.has('implicit') && profile === 'none' ? responseTypes : ['code'];
}

/** The registered spelling; the order of the words does not count (OAuth 2.0 Multiple Response Types §3). */
export function parseResponseType(text: string | undefined): ResponseType | undefined {
  const words = (text ?? '').split(' ').filter(word => word !== '');
  return responseTypes.find(type => {
    const own = type.split(' ');
    return own.length === words.length && own.every(word => words.includes(word));
  });
}

/** True if the response contains a `code`, `token` or `id_token`. */
export function brings(type: ResponseType, what: 'code' | 'token' | 'id_token'): boolean {
  return type.split(' ').includes(what);
}
