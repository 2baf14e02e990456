/** What the live stream says, whichever tab of the browser holds it. */
export interface FeedMessage {
  readonly kind: string;
  /** Event id. */
  readonly id: number;
  readonly data: Readonly<Record<string, unknown>>;
}

type Listener = (message: FeedMessage) => void;
const listeners: Listener[] = [];
const connectionListeners: ((connected: boolean) => void)[] = [];

export function onFeed(listener: Listener): void {
  listeners.push(listener);
}

export function onConnection(listener: (connected: boolean) => void): void {
  connectionListeners.push(listener);
}

export function tellFeed(message: FeedMessage): void {
  for (const listener of listeners) listener(message);
}

export function tellConnection(connected: boolean): void {
  for (const listener of connectionListeners) listener(connected);
}
