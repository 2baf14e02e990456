// What is costly to read: how much of the CPU one request takes, and for how long it keeps everybody else waiting.
import { join } from 'node:path';
import { run } from '../processes.mjs';
import { row } from '../table.mjs';

const program = join(import.meta.dirname, '../programs/costly-input.mjs');

export async function measureInput({ node, grantbox, options }) {
  const { args } = grantbox();
  const found = JSON.parse(await run(node.path, [program, args(0).at(-1), String(options.rounds)], {}));
  return [...new Set(found.map(({ what }) => what))].map(what => {
    const samples = found.filter(each => each.what === what);
    const worst = samples.reduce((a, b) => (a.turn > b.turn ? a : b));
    const beside = samples.map(({ path, status, cpu }) => `${path} ${cpu.toFixed(1)} ms of CPU (${status})`).join('; ');
    return row(`costly input: ${what}`, worst.turn, { atMost: 50, unit: 'ms', digits: 1 }, beside, samples);
  });
}
