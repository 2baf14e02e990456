import type { Core } from '../../sandbox/extension.ts';

/** What an issuer has of the lessons. */
export type Learning = Pick<Core, 'lessons' | 'mark' | 'playground' | 'workshop'>;
