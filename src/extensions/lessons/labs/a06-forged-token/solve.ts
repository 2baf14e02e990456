export { attackAndDefend as solver } from '../attack-and-defend.ts';
