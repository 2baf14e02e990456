import { ErrorResponse, type UserManager } from 'oidc-client-ts';
import { loadConfig } from './config.ts';
import { loadProducts, type Product, SignInNeeded } from './products.ts';
import { createUserManager, finishSignIn } from './session.ts';

const [userLine, notice, list] = [element('user'), element('notice'), element('products')];
const [signIn, signOut] = [element('sign-in'), element('sign-out')];

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

async function start(): Promise<void> {
  const config = await loadConfig();
  const users = createUserManager(config);
  signIn.addEventListener('click', () => void users.signinRedirect().catch(showError));
  signOut.addEventListener('click', () => void users.signoutRedirect().catch(showError));
  try {
    await finishSignIn(users);
  } catch (error) {
    await showUser(users);
    return showError(error);
  }
  await showUser(users);
  if ((await users.getUser()) === null) return show('Sign in to see the products.');
  await showProducts(users, `${config.issuer}/api/products?size=100`);
}

async function showUser(users: UserManager): Promise<void> {
  const user = await users.getUser();
  userLine.textContent = user === null ? '' : `Signed in as ${user.profile.name ?? user.profile.sub}`;
  signIn.hidden = user !== null;
  signOut.hidden = user === null;
}

async function showProducts(users: UserManager, url: string): Promise<void> {
  try {
    const products = await loadProducts({ users, url, onBusy: () => show('The shop is busy, trying again…') });
    list.replaceChildren(...products.map(itemOf));
    show(`${products.length} products`);
  } catch (error) {
    if (!(error instanceof SignInNeeded)) throw error;
    await showUser(users);
    show('Your session has ended. Sign in again.');
  }
}

function itemOf({ name, price }: Product): HTMLLIElement {
  const item = document.createElement('li');
  item.textContent = `${name}, ${price.toFixed(2)} €`;
  return item;
}

function show(text: string): void {
  notice.textContent = text;
}

function showError(error: unknown): void {
  const isDenied = error instanceof ErrorResponse && error.error === 'access_denied';
  if (isDenied) show('You did not allow it. Sign in again to change your mind.');
  else show(error instanceof Error ? error.message : String(error));
}

await start().catch(showError);
