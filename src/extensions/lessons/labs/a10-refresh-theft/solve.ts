import { labSolver } from '../attack-and-defend.ts';

export const solver = labSolver({ first: 'login' });
