import { type FeedMessage, tellConnection, tellFeed } from './feed.ts';

const kinds = ['token', 'revoked', 'request', 'problem', 'session', 'key', 'reset', 'resync'];
/** The path of the issuer: two dashboards of one origin have a stream each. */
const base = document.documentElement.dataset.base ?? '';
const address = `${base}/dashboard/api/v1/events`;
const retryMilliseconds = 3000;

type Word = { readonly feed: FeedMessage } | { readonly connected: boolean } | { readonly hello: true };

let newest = Number(document.body.dataset.newest ?? 0);
let source: EventSource | undefined;
let connected: boolean | undefined;

/**
 * One stream per browser, or the seventh tab would hang: the tab that holds a Web Lock reads it and tells the others.
 * Without Web Locks (plain HTTP on a host name) each tab reads its own, and only while it is looked at.
 */
export function startLive(): void {
  const channel = new BroadcastChannel(`grantbox${base}`);
  channel.onmessage = ({ data }: MessageEvent<Word>) => hear(data, channel);
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
    if (source !== undefined && connected !== undefined) channel.postMessage({ connected } satisfies Word);
  } else if (source === undefined) {
    take(word);
  }
}

/** From the stream or from the tab that has it. */
function take(word: Word): void {
  if ('feed' in word && (word.feed.id > newest || word.feed.kind === 'resync')) {
    newest = word.feed.id;
    tellFeed(word.feed);
  } else if ('connected' in word) {
    connected = word.connected;
    tellConnection(word.connected);
  }
}

function open(tell: (word: Word) => void): void {
  const stream = new EventSource(`${address}?after=${newest}`);
  source = stream;
  const say = (word: Word) => {
    take(word);
    tell(word);
  };
  stream.onopen = () => say({ connected: true });
  stream.onerror = () => {
    say({ connected: false });
    // A refusal closes it for good; a lost connection comes back by itself.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => source === stream && open(tell), retryMilliseconds);
  };
  for (const kind of kinds) {
    stream.addEventListener(kind, event => {
      say({ feed: { kind, id: Number(event.lastEventId), data: JSON.parse(event.data) } });
    });
  }
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
