/** The messages of the live stream. They may come from a different tab that holds the connection. */
export interface ReceivedMessage {
  readonly kind: string;
  /** Event id. */
  readonly id: number;
  readonly data: Readonly<Record<string, unknown>>;
}

function createChannel<T>() {
  const listeners: ((value: T) => void)[] = [];
  return {
    on: (listener: (value: T) => void) => void listeners.push(listener),
    tell(value: T) {
      for (const listener of listeners) listener(value);
    },
  };
}

export const { on: onFeed, tell: tellFeed } = createChannel<ReceivedMessage>();
/** `away`: the sandbox does not answer; `signed-out`: it answers, but rejects this browser. */
export type FeedConnection = 'live' | 'away' | 'signed-out';
export const { on: onConnection, tell: tellConnection } = createChannel<FeedConnection>();
/** The sandbox was restarted. True if the page was made by the start before: two processes behind one address are not a restart. */
export const { on: onRestart, tell: tellRestart } = createChannel<boolean>();
/** The number of problems that nobody has seen. */
export const { on: onUnseen, tell: tellUnseen } = createChannel<number>();
