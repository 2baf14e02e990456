import { copyText, startCopyButtons } from './copy.ts';

const base = () => document.documentElement.dataset.base ?? '';
const jwtForm = /^\s*(?:bearer\s+)?["']?ey[\w-]+\.[\w-]*\.[\w.-]*["']?\s*$/i;

/** Menus that close by themselves, the menu of a row, the toast that goes, and a pasted token that is no filter. */
export function startTokenTools(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    closeMenus(target);
    const menu = target.closest('summary')?.closest<HTMLDetailsElement>('.menu');
    if (menu) setTimeout(() => focusFirstField(menu)); // the click opens it after this
    const dots = target.closest<HTMLElement>('.dots');
    if (dots !== null) void openRowMenu(dots);
    const copier = target.closest<HTMLButtonElement>('[data-copy-of]');
    if (copier !== null) void copyTokenOf(copier);
  });
  // before the single keys, for which Escape leads back
  document.addEventListener(
    'keydown',
    event => {
      if (event.key === 'Escape' && closeMenus(null)) event.stopImmediatePropagation();
    },
    true,
  );
  openTarget();
  addEventListener('hashchange', openTarget);
  for (const toast of document.querySelectorAll<HTMLElement>('.toast')) {
    setTimeout(() => toast.remove(), Number(toast.dataset.for) * 1000);
  }
  document.querySelector<HTMLInputElement>('input#q')?.form?.addEventListener('submit', decodeInstead);
}

/** Not every browser opens the menu that holds the target of an address. */
function openTarget(): void {
  const menu = document.getElementById(location.hash.slice(1))?.closest<HTMLDetailsElement>('.menu');
  if (menu) menu.open = true;
}

/** The form is ready to be filled in. */
function focusFirstField(menu: HTMLDetailsElement): void {
  if (menu.open) menu.querySelector<HTMLElement>('form :is(input:not([type="hidden"]), select, textarea)')?.focus();
}

/** All that are open, but for the one that is clicked in; says whether there was one. */
function closeMenus(inside: Element | null): boolean {
  const open = [...document.querySelectorAll<HTMLDetailsElement>('.menu[open]')].filter(menu => !menu.contains(inside));
  for (const menu of open) {
    if (inside === null) menu.querySelector('summary')?.focus();
    menu.open = false;
  }
  return open.length > 0;
}

/** One for all rows, fetched when it is asked for: two hundred raw tokens would be most of the page. */
async function openRowMenu(dots: HTMLElement): Promise<void> {
  const id = dots.closest('tr')?.id ?? '';
  const response = await fetch(`${base()}/dashboard/tokens/${id}/menu`);
  if (!response.ok) return;
  const popup = document.getElementById('row-menu') ?? createPopup();
  popup.innerHTML = await response.text(); // of our own making, every value escaped
  startCopyButtons(popup);
  popup.showPopover();
  const { bottom, right } = dots.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = popup;
  const top = bottom + offsetHeight > innerHeight ? bottom - offsetHeight : bottom;
  popup.style.top = `${Math.max(0, top)}px`;
  popup.style.left = `${Math.max(0, right - offsetWidth)}px`;
  popup.querySelector('button')?.focus();
}

/** The raw token is fetched for the click: fifty of them would be most of the page. */
async function copyTokenOf(button: HTMLButtonElement): Promise<void> {
  const response = await fetch(`${base()}/dashboard/tokens/${button.dataset.copyOf}/copy/token`);
  if (response.ok) await copyText(button, await response.text());
}

function createPopup(): HTMLElement {
  const popup = document.createElement('div');
  popup.id = 'row-menu';
  popup.className = 'popup';
  popup.popover = 'auto';
  popup.setAttribute('role', 'group');
  popup.setAttribute('aria-label', 'Actions of the token');
  document.getElementById('main')?.append(popup);
  for (const what of ['scroll', 'resize']) addEventListener(what, () => popup.hidePopover(), { passive: true });
  return popup;
}

/** A token does not belong in an address: it goes to Decode, in a body. */
function decodeInstead({ currentTarget: form }: Event): void {
  const input = document.querySelector<HTMLInputElement>('input#q');
  if (!(form instanceof HTMLFormElement) || input === null || !jwtForm.test(input.value)) return;
  const { action } = form;
  Object.assign(form, { method: 'post', action: `${base()}/dashboard/decode` });
  input.name = 'token';
  // for a reader who comes back to this page
  setTimeout(() => {
    Object.assign(form, { method: 'get', action });
    input.name = 'q';
  });
}
