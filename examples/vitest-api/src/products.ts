import {
  allowInsecureRequests,
  ClientSecretBasic,
  type CustomFetch,
  clientCredentialsGrant,
  customFetch,
  discovery,
} from 'openid-client';
import type { Settings } from './app.ts';
import { fetchPatiently } from './fetch-patiently.ts';

interface Product {
  readonly name: string;
  readonly price: number;
}

/** Asks the API of products, as ourselves: with a token that the client credentials of this API give. */
export function createProducts({ issuer, clientId, clientSecret, productsUrl }: Settings) {
  const discovered = () => {
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : []; // in development
    const fetchAgain: CustomFetch = (url, options) => fetchPatiently(url, options as RequestInit);
    const options = { execute, [customFetch]: fetchAgain };
    return discovery(new URL(issuer), clientId, undefined, ClientSecretBasic(clientSecret), options);
  };
  let configuration: ReturnType<typeof discovered> | undefined;
  return async (id: number): Promise<Product | undefined> => {
    configuration ??= discovered();
    const { access_token } = await clientCredentialsGrant(await configuration, { scope: 'products:read' });
    const headers = { Authorization: `Bearer ${access_token}` };
    const response = await fetchPatiently(`${productsUrl}/${id}`, { headers });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
    return (await response.json()) as Product;
  };
}
