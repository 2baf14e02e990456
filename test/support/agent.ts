export { unescaped as decode } from '../../src/base/text/html.ts';
export { type Agent, createAgent, type SolverVisit as Visit } from '../../src/extensions/lessons/trial/agent.ts';
