import type { SandboxEvent } from '../../base/events/event.ts';
import type { LogListener } from '../../base/events/event-log.ts';
import type { Engine } from './engine.ts';
import { type FollowedLog, followingOf } from './log-following.ts';

/** The listeners of a log in this process. The log is followed as long as somebody subscribes. An error of a listener is its own. */
export function createLogListeners(
  engine: Engine,
  followed: FollowedLog,
  onError: (error: unknown) => void = () => {},
) {
  const following = followingOf(engine);
  const own = new Set<LogListener>();
  const overhearing = new Set<LogListener>();
  const subscribed = new Set<LogListener>();

  function tell(listeners: Iterable<LogListener>, event: SandboxEvent): void {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        onError(error);
      }
    }
  }

  return {
    subscribe(listener: LogListener) {
      subscribed.add(listener);
      if (subscribed.size === 1) following.follow(followed);
      return () => {
        if (subscribed.delete(listener) && subscribed.size === 0) following.leave(followed);
      };
    },
    hearOwn: (listener: LogListener) => listenIn(own, listener),
    overhear: (listener: LogListener) => listenIn(overhearing, listener),
    /** Tells those who hear what this process appends. */
    tellOwn: (event: SandboxEvent) => tell(own, event),
    /** Tells all others of an event that has been read. */
    tellRead(event: SandboxEvent) {
      tell(overhearing, event);
      tell(subscribed, event);
    },
    /** Ends the subscriptions. */
    close() {
      subscribed.clear();
      following.leave(followed);
    },
  };
}

function listenIn(listeners: Set<LogListener>, listener: LogListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
