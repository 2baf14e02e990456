import {
  type FeedConnection,
  type ReceivedMessage,
  tellConnection,
  tellFeed,
  tellRestart,
  tellUnseen,
} from './feed.ts';
import { askSandbox, base, throttle } from './page.ts';

const kinds = [
  'token',
  'revoked',
  'request',
  'problem',
  'session',
  'key',
  'clock',
  'fault',
  'issuer',
  'configuration',
  'reset',
  'resync',
  'counts',
];
/** Two dashboards on one origin have separate streams. */
const address = `${base}/dashboard/api/v1/events`;
const retryMilliseconds = 3000;
const unseenMilliseconds = 500;

/**
 * `at`: the current start of the sandbox and its newest known event. `unseen`: the number that the server told the newest page,
 * for the other tabs.
 */
type Word =
  | { readonly feed: ReceivedMessage }
  | { readonly connection: FeedConnection; readonly at?: { readonly start: string; readonly newest: number } }
  | { readonly hello: true }
  | { readonly unseen: number };

let newest = Number(document.body.dataset.newest ?? 0);
let source: EventSource | undefined;
let connection: FeedConnection | undefined;
let { start = '' } = document.body.dataset;
let hasMet = false;

/**
 * Opens one stream per browser, because the seventh would block all requests: the tab that holds a Web Lock reads it and tells
 * the others. Without Web Locks (plain HTTP on a host name) each visible tab reads its own stream.
 */
export function startLive(): void {
  const channel = new BroadcastChannel(`grantbox${base}`);
  channel.onmessage = ({ data }: MessageEvent<Word>) => hear(data, channel);
  channel.postMessage({ unseen: Number(document.body.dataset.unseen ?? 0) } satisfies Word);
  if ('locks' in navigator) {
    channel.postMessage({ hello: true } satisfies Word);
    void navigator.locks.request(`grantbox-live${base}`, () => {
      open(word => channel.postMessage(word));
      return new Promise(() => {});
    });
  } else {
    streamWhileVisible();
  }
}

function hear(word: Word, channel: BroadcastChannel): void {
  if ('hello' in word) {
    if (source === undefined || connection === undefined) return;
    const at = connection === 'live' ? { at: { start, newest } } : {};
    channel.postMessage({ connection, ...at } satisfies Word);
  } else if (source === undefined || 'unseen' in word) {
    take(word);
  }
}

function take(word: Word): void {
  if ('unseen' in word) tellUnseen(word.unseen);
  else if ('feed' in word && (word.feed.id > newest || !isEvent(word.feed))) {
    newest = word.feed.id;
    tellFeed(word.feed);
  } else if ('connection' in word) {
    connection = word.connection;
    tellConnection(connection);
    if (word.at === undefined) return;
    meet(word.at.start);
    // Catches up on the events between the rendering of this page and its first message.
    if (word.at.newest > newest) {
      newest = word.at.newest;
      tellFeed({ kind: 'missed', id: newest, data: {} });
    }
  }
}

function meet(told: string): void {
  if (told !== start) {
    start = told;
    newest = 0; // ids restart at 1
    tellRestart(hasMet);
  }
  hasMet = true;
}

/** These messages describe the current state, not an event. */
function isEvent({ kind }: ReceivedMessage): boolean {
  return kind !== 'resync' && kind !== 'counts';
}

function open(tell: (word: Word) => void): void {
  const stream = new EventSource(`${address}?after=${newest}`);
  source = stream;
  const say = (word: Word) => {
    take(word);
    tell(word);
  };
  // the first message of each connection
  stream.addEventListener('start', ({ data }) => say({ connection: 'live', at: { ...JSON.parse(data), newest: 0 } }));
  stream.onerror = () => {
    if (stream.readyState !== EventSource.CLOSED) return say({ connection: 'away' });
    // A refusal ends the stream for good. After a lost connection the browser reconnects.
    void askSandbox().then(
      answer => source === stream && say({ connection: answer === 'signed-out' ? answer : 'away' }),
    );
    setTimeout(() => source === stream && open(tell), retryMilliseconds);
  };
  const countUnseen = createUnseen(unseen => say({ unseen }));
  for (const kind of kinds) {
    stream.addEventListener(kind, event => {
      const feed = { kind, id: Number(event.lastEventId), data: JSON.parse(event.data) };
      say({ feed });
      countUnseen(feed);
    });
  }
}

function createUnseen(tell: (unseen: number) => void): (feed: ReceivedMessage) => void {
  const ask = throttle(async () => {
    const response = await fetch(`${base}/dashboard/api/v1/unseen`);
    if (response.ok) tell((await response.json()).unseen);
  }, unseenMilliseconds);
  let known: unknown;
  return ({ kind, data }) => {
    if (kind === 'problem' || (kind === 'counts' && data.problems !== known)) ask();
    if (kind === 'counts') known = data.problems;
  };
}

function streamWhileVisible(): void {
  const follow = () => {
    source?.close();
    source = undefined;
    if (document.visibilityState === 'visible') open(() => {});
  };
  document.addEventListener('visibilitychange', follow);
  follow();
}
