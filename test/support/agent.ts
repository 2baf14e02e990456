export { type Agent, createAgent, decode, type SolverVisit as Visit } from '../../src/lessons/trial/agent.ts';
