import type { UserManager } from 'oidc-client-ts';

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly price: number;
}

/** Nothing but a new sign-in helps. */
export class SignInNeeded extends Error {}

export interface Asking {
  readonly users: UserManager;
  readonly url: string;
  /** Told before it waits for a server that has no time. */
  readonly onBusy: () => void;
}

const mostTries = 3;

/** @throws SignInNeeded where there is no token, or none that could be renewed */
export async function loadProducts({ users, url, onBusy }: Asking): Promise<readonly Product[]> {
  let isRenewed = false;
  for (let tries = 1; ; ) {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${await accessToken(users)}` } });
    if (response.ok) return response.json();
    if (response.status === 401 && !isRenewed) {
      await renew(users);
      isRenewed = true;
    } else if (response.status === 503 && tries < mostTries) {
      tries++;
      onBusy();
      await wait(Number(response.headers.get('Retry-After') ?? 1));
    } else if (response.status === 401) throw new SignInNeeded();
    else throw new Error(`The shop answered ${response.status}.`);
  }
}

async function accessToken(users: UserManager): Promise<string> {
  const user = await users.getUser();
  if (user === null) throw new SignInNeeded();
  return user.access_token;
}

async function renew(users: UserManager): Promise<void> {
  try {
    await users.signinSilent();
  } catch {
    await users.removeUser();
    throw new SignInNeeded();
  }
}

function wait(seconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, seconds * 1000));
}
