import type { JSONWebKeySet } from 'jose';
import { expect } from 'vitest';

/** What a server signs for clients, by the names of its metadata. */
const signed = ['id_token', 'userinfo', 'authorization', 'introspection'];

/** The algorithms that the metadata offers for signatures of the server, without those whose keys some libraries cannot read. */
export async function offeredAlgs(url: string): Promise<readonly string[]> {
  const metadata = (await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as Record<string, string[]>;
  const offered = signed.flatMap(name => metadata[`${name}_signing_alg_values_supported`] ?? []);
  return [...new Set(offered)].filter(alg => /^(?:[RP]S\d+|ES256|ES384)$/.test(alg));
}

/**
 * The JWK Set, as it was sent, once it has a key for each of these algorithms: a process publishes them one after another, soon
 * after its start.
 */
export async function allKeys(url: string): Promise<string> {
  const offered = await offeredAlgs(url);
  let text = '';
  const read = async () => {
    text = await (await fetch(`${url}/oauth2/jwks`)).text();
    return (JSON.parse(text) as JSONWebKeySet).keys.map(({ alg }) => alg);
  };
  await expect.poll(read).toEqual(expect.arrayContaining([...offered]));
  return text;
}
