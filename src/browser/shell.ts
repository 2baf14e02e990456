import { type FeedMessage, onConnection, onFeed } from './feed.ts';

const announceMilliseconds = 5000;

/** What is the same on every page: the connection, the count of tokens, and one quiet line for screen readers. */
export function startShell(): void {
  const chip = document.getElementById('live');
  const bar = document.getElementById('disconnected');
  onConnection(connected => {
    if (bar !== null) bar.hidden = connected;
    if (chip === null) return;
    chip.hidden = false;
    chip.textContent = connected ? 'Live' : 'Disconnected';
    chip.className = `chip live ${connected ? 'on' : 'off'}`;
  });
  onFeed(showTotal);
  startAnnouncements();
}

function showTotal({ data }: FeedMessage): void {
  const count = document.getElementById('token-count');
  if (count !== null && typeof data.total === 'number') {
    count.textContent = String(data.total).replace(/\B(?=(\d{3})+$)/g, '\u2009');
  }
}

/** "3 new tokens, 1 refusal", at most every five seconds. */
function startAnnouncements(): void {
  const line = document.getElementById('announce');
  let tokens = 0;
  let refusals = 0;
  onFeed(({ kind }) => {
    if (kind === 'token') tokens++;
    if (kind === 'problem') refusals++;
  });
  setInterval(() => {
    if (line === null || tokens + refusals === 0) return;
    const parts = [count(tokens, 'new token'), count(refusals, 'refusal')];
    line.textContent = parts.filter(part => part !== '').join(', ');
    tokens = refusals = 0;
  }, announceMilliseconds);
}

function count(amount: number, name: string): string {
  return amount === 0 ? '' : `${amount} ${name}${amount === 1 ? '' : 's'}`;
}
