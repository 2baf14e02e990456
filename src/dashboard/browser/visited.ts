import { base } from './page.ts';

interface Visited {
  readonly name: string;
  readonly path: string;
}

const most = 5;
const key = `grantbox-visited:${base}`;

/** Remembers this page. A page that is no entry of the navigation and in none, such as a 404, is not worth a second visit. */
export function startVisited(): void {
  const isPage = document.querySelector('.side [aria-current]') !== null && document.body.dataset.answer === undefined;
  if (!isPage) return;
  const name = document.title.replace(/^\(\d+\) /, '').replace(/ · [^·]*$/, '');
  const here = { name, path: location.pathname };
  write([here, ...read().filter(({ path }) => path !== here.path)].slice(0, most + 1));
}

/** The last five pages, newest first, without this one. */
export function visitedEarlier() {
  return read()
    .filter(({ path }) => path !== location.pathname)
    .slice(0, most)
    .map(({ name, path }) => ({ kind: 'visited', name, href: path }));
}

/** A sandbox that was started again has none of the tokens and flows of before. */
function read(): readonly Visited[] {
  try {
    const { start, pages } = JSON.parse(localStorage.getItem(key) ?? '{}');
    return start === document.body.dataset.start && Array.isArray(pages) ? pages : [];
  } catch {
    return []; // a browser that keeps nothing for this site
  }
}

function write(pages: readonly Visited[]): void {
  try {
    localStorage.setItem(key, JSON.stringify({ start: document.body.dataset.start, pages }));
  } catch {
    // a browser that keeps nothing for this site
  }
}
