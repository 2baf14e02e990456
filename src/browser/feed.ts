/** The messages of the live stream, from any tab of the browser that holds the connection. */
export interface ReceivedMessage {
  readonly kind: string;
  /** Event id. */
  readonly id: number;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Channel<T> {
  on(listener: (value: T) => void): void;
  tell(value: T): void;
}

function createChannel<T>(): Channel<T> {
  const listeners: ((value: T) => void)[] = [];
  return {
    on: listener => void listeners.push(listener),
    tell(value) {
      for (const listener of listeners) listener(value);
    },
  };
}

export const { on: onFeed, tell: tellFeed } = createChannel<ReceivedMessage>();
/** `away`: the sandbox does not answer; `signed-out`: it answers, but not this browser. */
export type FeedConnection = 'live' | 'away' | 'signed-out';
export const { on: onConnection, tell: tellConnection } = createChannel<FeedConnection>();
/** Another start of the sandbox answers. True where the page had met the start it was made by: two processes behind one address are no restart. */
export const { on: onRestart, tell: tellRestart } = createChannel<boolean>();
/** How many problems nobody has looked at. */
export const { on: onUnseen, tell: tellUnseen } = createChannel<number>();
