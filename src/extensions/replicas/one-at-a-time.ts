/**
 * Has a question asked once for all callers that come while another one is under way. They do not get the answer of that
 * one, which was sent before they came and may be too old for them.
 */
export function oneAtATime(ask: () => Promise<void>): () => Promise<void> {
  let underway: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  function begin(): Promise<void> {
    next = undefined;
    underway = ask().finally(() => {
      if (next === undefined) underway = undefined; // otherwise the next one begins in a moment
    });
    return underway;
  }
  return () => {
    if (underway === undefined) return begin();
    next ??= underway.then(begin, begin);
    return next;
  };
}
