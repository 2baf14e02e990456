import { test as base, expect } from 'grantbox/playwright';

export { expect };

/** Shows the user it finds in `localStorage` or `sessionStorage`, as `?store` says. */
const html = `<!doctype html><title>Application</title><link rel="icon" href="data:,"><p id="user"></p>
<button id="remove">Sign out</button><button id="clear">Forget everything</button>
<script>
const store = new URLSearchParams(location.search).get('store') === 'session' ? sessionStorage : localStorage;
const name = Object.keys(store).find(each => each.startsWith('oidc.user:'));
const { profile } = JSON.parse(store.getItem(name) ?? '{}');
document.getElementById('user').textContent = profile === undefined ? 'nobody' : profile.name ?? profile.sub;
document.getElementById('remove').onclick = () => { store.removeItem(name); location.reload(); };
document.getElementById('clear').onclick = () => { localStorage.clear(); sessionStorage.clear(); location.reload(); };
</script>`;

/** An application without a server, at any port of localhost and 127.0.0.1 that begins with 5. */
export const test = base.extend({
  app: [
    async ({ context }, use) => {
      await context.route(/^http:\/\/(localhost|127\.0\.0\.1):5\d{3}\//, route =>
        route.fulfill({ contentType: 'text/html', body: html }),
      );
      await use(undefined);
    },
    { auto: true },
  ],
});
