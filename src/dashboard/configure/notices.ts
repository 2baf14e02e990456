const mostKept = 100;

/** Sentences for the page after a form was sent. They are stored here, because a link could put any text into an address. */
export function createNotices() {
  const kept = new Map<string, readonly string[]>();
  let last = 0;
  return {
    /** The value for the query parameter `done`. */
    keep(sentences: readonly string[]): string {
      const id = String(++last);
      kept.set(id, sentences);
      kept.delete(String(last - mostKept));
      return id;
    },
    /** Empty for an unknown or old id. */
    of: (id: unknown): readonly string[] => (typeof id === 'string' ? (kept.get(id) ?? []) : []),
  };
}
