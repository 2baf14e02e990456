/** Something that is loaded once, on the first call. */
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
