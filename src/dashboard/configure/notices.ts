/** Sentences for the page that a form leads back to. They are kept here: an address could have anything in it. */
export interface Notices {
  /** What to put into the query, as `done`. */
  keep(sentences: readonly string[]): string;
  /** Nothing for an id that is unknown, or old. */
  of(id: unknown): readonly string[];
}

const mostKept = 100;

export function createNotices(): Notices {
  const kept = new Map<string, readonly string[]>();
  let last = 0;
  return {
    keep(sentences) {
      const id = String(++last);
      kept.set(id, sentences);
      kept.delete(String(last - mostKept));
      return id;
    },
    of: id => (typeof id === 'string' ? (kept.get(id) ?? []) : []),
  };
}
