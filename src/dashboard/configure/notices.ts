/** Sentences for the page after a form was sent. They are stored here, because a link could put any text into an address. */
export interface Notices {
  /** The value for the query parameter `done`. */
  keep(sentences: readonly string[]): string;
  /** Empty for an unknown or old id. */
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
