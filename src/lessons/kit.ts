import type { LessonKit } from './author.ts';
import { answer, chain, exchange, seen } from './checks/check.ts';

export const kit: LessonKit = { seen, chain, exchange, answer };
