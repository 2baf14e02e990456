/**
 * Runs work that reads what is there and then changes it, while no other replica does. A full store takes the changes of work that
 * makes room. Work in a turn sends no request to this sandbox, which might wait for the same turn.
 */
export type RunInTurn = <T>(work: () => Promise<T>, effect?: 'makes room') => Promise<T>;

/** Without replicas there is nobody to wait for. */
export const inTurnHere: RunInTurn = work => work();
