/** The pages in the navigation, by group. A page that is not offered is not in it. */
export const groups = [
  ['Observe', ['tokens', 'flows', 'problems', 'requests', 'report', 'decode']],
  ['Configure', ['clients', 'users', 'api', 'keys', 'clock', 'faults']],
  ['Learn', ['connect']],
  ['', ['settings']],
] as const;
export type NavEntry = 'home' | (typeof groups)[number][1][number];
