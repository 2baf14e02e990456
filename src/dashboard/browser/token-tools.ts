import { isPastedJwt } from '../../base/text/jwt.ts';
import { copyText } from './copy.ts';
import { base, enhancePart } from './page.ts';

/** Closes menus and the toast, opens the menu of a row, and sends a pasted token to Decode. */
export function startTokenTools(): void {
  document.addEventListener('click', event => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    closeMenus(target);
    const menu = target.closest('.menu > summary')?.parentElement;
    if (menu instanceof HTMLDetailsElement) {
      event.preventDefault();
      toggleMenu(menu);
    }
    const dots = target.closest<HTMLElement>('.dots');
    if (dots !== null) void openRowMenu(dots);
    const copier = target.closest<HTMLButtonElement>('[data-copy-of]');
    if (copier !== null) void copyTokenOf(copier);
    const explain = target.closest<HTMLAnchorElement>('[data-explain]');
    if (explain !== null) toggleClaims(explain, event);
  });
  // runs before the single keys, where Escape leads back to the list
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

/** Opens each claim, or closes them if all are open. Without scripts the link loads the page with its claims open. */
function toggleClaims(link: HTMLAnchorElement, event: Event): void {
  event.preventDefault();
  const claims = [...(link.closest('.claim-list')?.querySelectorAll<HTMLDetailsElement>('.claim') ?? [])];
  const open = claims.some(each => !each.open);
  for (const each of claims) each.open = open;
}

/** Opens the menu with the target of the address, because some browsers do not. */
function openTarget(): void {
  const menu = document.getElementById(location.hash.slice(1))?.closest<HTMLDetailsElement>('.menu');
  if (menu) menu.open = true;
}

/**
 * Opens or closes a menu, and focuses the first field of the opened form. The browser would open it only after the click, and a
 * focus that is moved later than that can take the next key away from the field that the user has reached by then.
 */
function toggleMenu(menu: HTMLDetailsElement): void {
  menu.open = !menu.open;
  if (menu.open) menu.querySelector<HTMLElement>('form :is(input:not([type="hidden"]), select, textarea)')?.focus();
}

function closeMenus(inside: Element | null): boolean {
  const open = [...document.querySelectorAll<HTMLDetailsElement>('.menu[open]')].filter(menu => !menu.contains(inside));
  for (const menu of open) {
    if (inside === null) menu.querySelector('summary')?.focus();
    menu.open = false;
  }
  return open.length > 0;
}

/**
 * One menu for all rows, fetched on demand, because two hundred raw tokens would be most of the page. It scrolls with its row, and
 * does not open for a user who is elsewhere by then.
 */
async function openRowMenu(dots: HTMLElement): Promise<void> {
  const id = dots.closest('tr')?.id ?? '';
  const { activeElement } = document;
  const response = await fetch(`${base}/dashboard/tokens/${id}/menu`);
  const html = await response.text();
  if (!response.ok || document.activeElement !== activeElement) return;
  const popup = document.getElementById('row-menu') ?? createPopup();
  popup.innerHTML = html; // HTML from the sandbox, which escapes every value
  enhancePart(popup);
  popup.showPopover();
  const { bottom, right } = dots.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = popup;
  const top = bottom + offsetHeight > innerHeight ? bottom - offsetHeight : bottom;
  popup.style.top = `${scrollY + Math.max(0, top)}px`;
  popup.style.left = `${Math.max(0, right - offsetWidth)}px`;
  popup.querySelector('button')?.focus({ preventScroll: true });
}

/** The raw token is fetched on the click, because fifty of them would be most of the page. */
async function copyTokenOf(button: HTMLButtonElement): Promise<void> {
  const response = await fetch(`${base}/dashboard/tokens/${button.dataset.copyOf}/copy/token`);
  if (response.ok) await copyText(button, await response.text());
}

function createPopup(): HTMLElement {
  const popup = document.createElement('div');
  popup.id = 'row-menu';
  popup.className = 'popup';
  popup.popover = 'auto';
  popup.setAttribute('role', 'group');
  popup.setAttribute('aria-label', 'Actions of the token');
  // in the list, whose rows stay where they are while the pointer or the focus is in it
  (document.getElementById('token-list') ?? document.getElementById('main'))?.append(popup);
  addEventListener('resize', () => popup.hidePopover());
  return popup;
}

/** Sends a pasted token to Decode in a request body, because a token must not be in an address. */
function decodeInstead({ currentTarget: form }: Event): void {
  const input = document.querySelector<HTMLInputElement>('input#q');
  if (!(form instanceof HTMLFormElement) || input === null || !isPastedJwt(input.value)) return;
  const { action } = form;
  Object.assign(form, { method: 'post', action: `${base}/dashboard/decode` });
  input.name = 'token';
  // for a reader who comes back to this page
  setTimeout(() => {
    Object.assign(form, { method: 'get', action });
    input.name = 'q';
  });
}
