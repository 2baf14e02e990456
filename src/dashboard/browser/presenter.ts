import { enhance, enhancePart, fetchPage } from './page.ts';

const parts = ['.page-head', '.sequence', '.presenter'];
const stepMilliseconds = 2500;
const playMark = 'grantbox-play';

const stepKeys: Readonly<Record<string, string>> = {
  ' ': 'next',
  n: 'next',
  ArrowRight: 'next',
  PageDown: 'next',
  p: 'previous',
  ArrowLeft: 'previous',
  PageUp: 'previous',
  Home: 'first',
  End: 'last',
};
const screenKeys: Readonly<Record<string, () => void>> = {
  b: darken,
  '.': darken,
  f: () => void switchFullScreen(),
};

/** Presents a flow step by step, by links, keys or at teaching speed, without loading the page. */
function startPresenter(): void {
  enhance(showPlayAgain);
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-play]')) sessionStorage.setItem(playMark, '1');
  });
  if (document.querySelector('.presenter') === null) return;
  const player = createPlayer();
  document.addEventListener('click', event => {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('#flow-play')) return player.toggle();
    if (target?.closest('#flow-full')) return void switchFullScreen();
    const link = target?.closest<HTMLElement>('a[data-step]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // a person who steps has taken over
    if (event.isTrusted) player.stop();
    player.step(link.dataset.step ?? '');
  });
  // before the keys of the other pages, which mean something else
  addEventListener('keydown', event => onKey(event, player), true);
  addEventListener('popstate', () => location.reload());
  player.dress();
  if (sessionStorage.getItem(playMark) === null) return;
  sessionStorage.removeItem(playMark);
  player.toggle();
}

function showPlayAgain(): void {
  const again = document.querySelector<HTMLElement>('[data-play]');
  if (again !== null) again.hidden = false;
}

interface Player {
  /** Goes to a step once all earlier presses are done, so that no press is lost. */
  step(to: string): void;
  toggle(): void;
  stop(): void;
  dress(): void;
}

function createPlayer(): Player {
  let last = Promise.resolve();
  let timer: ReturnType<typeof setInterval> | undefined;
  const player: Player = {
    step(to) {
      last = last.then(() => showStep(`a[data-step="${to}"]`)).then(player.dress);
    },
    toggle() {
      if (timer !== undefined) return player.stop();
      if (isAtEnd()) player.step('first');
      timer = setInterval(() => {
        if (isAtEnd()) player.stop();
        else player.step('next');
      }, stepMilliseconds);
      player.dress();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      player.dress();
    },
    dress() {
      // a flow stops at its end, or at a refusal
      if (timer !== undefined && isAtEnd()) return player.stop();
      const play = document.getElementById('flow-play');
      const full = document.getElementById('flow-full');
      if (play === null || full === null) return;
      play.hidden = false;
      play.textContent = timer !== undefined ? 'Pause' : isAtEnd() ? 'Play again' : 'Play';
      full.hidden = !document.fullscreenEnabled;
    },
  };
  return player;
}

function isAtEnd(): boolean {
  return (
    document.querySelector('.presenter [data-step="next"]') === null ||
    document.querySelector('.seq > li:last-child.refused') !== null
  );
}

function onKey(event: KeyboardEvent, player: Player): void {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (target instanceof Element && target.matches('input, textarea, select')) return;
  if (key === ' ' && target instanceof Element && target.matches('button, summary')) return;
  // single characters can be turned off in Settings (WCAG 2.1.4)
  if (key.length === 1 && document.body.dataset.keys === 'off') return;
  const isDark = document.body.classList.contains('dark-screen');
  const [act, step] = [isDark ? darken : screenKeys[key], stepKeys[key]];
  if (act === undefined && step === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  act?.();
  if (act !== undefined || step === undefined) return;
  player.stop();
  player.step(step);
}

function darken(): void {
  document.body.classList.toggle('dark-screen');
}

async function switchFullScreen(): Promise<void> {
  if (document.fullscreenElement === null) await document.getElementById('main')?.requestFullscreen();
  else await document.exitFullscreen();
}

async function showStep(selector: string): Promise<void> {
  const link = document.querySelector<HTMLAnchorElement>(selector);
  if (link === null) return;
  const { href } = link;
  const hadFocus = link.matches(':focus');
  const page = await fetchPage(href);
  if (page === undefined) return location.assign(href);
  for (const part of parts) {
    const made = page.querySelector(part);
    if (made === null) continue;
    document.querySelector(part)?.replaceWith(made);
    enhancePart(made);
  }
  history.pushState(null, '', href);
  const step = document.getElementById(new URL(href).hash.slice(1));
  step?.scrollIntoView({ block: 'nearest' });
  const announce = document.getElementById('announce');
  if (announce !== null) announce.textContent = step?.querySelector('.label')?.textContent ?? '';
  if (hadFocus)
    (
      document.querySelector<HTMLElement>(selector) ?? document.querySelector<HTMLElement>('.presenter a:not([hidden])')
    )?.focus();
}

startPresenter();
