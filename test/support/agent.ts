export { type Agent, createAgent, type SolverVisit as Visit } from '../../src/lessons/trial/agent.ts';
export { unescaped as decode } from '../../src/text/html.ts';
