import type { RequestHandler } from 'express';

/**
 * Something that is loaded once, on the first call. Ordinary imports in `composition/` would cost a start 1.4 times its CPU
 * (docs/architecture.md).
 */
export interface Lazy<T> {
  get(): Promise<T>;
  /** Undefined until it is there. */
  current(): T | undefined;
}

/** Wraps a loader so that it runs once, on the first call. */
export function lazily<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;
  let value: T | undefined;

  async function remember(): Promise<T> {
    value = await load();
    return value;
  }

  return {
    get() {
      loading ??= remember();
      return loading;
    },
    current: () => value,
  };
}

/** Pages that are read with the first visit. */
export function onFirstVisit(load: () => Promise<RequestHandler>): RequestHandler {
  const pages = lazily(load);
  return (req, res, next) => void pages.get().then(router => router(req, res, next), next);
}
