// What asks for all of a long history, beside everybody else who asks meanwhile.
import { join } from 'node:path';
import { run, temporaryFolder } from '../processes.mjs';
import { row } from '../table.mjs';

const program = join(import.meta.dirname, '../programs/many-clients.mjs');
const clients = 1000;

export async function measureReport({ node, grantbox }) {
  const { args } = grantbox();
  const text = await run(node.path, [program, args(0).at(-1), temporaryFolder(), String(clients)], {});
  const found = JSON.parse(text);
  const turn = (name, sample) =>
    row(
      `longest turn of the event loop: ${name}`,
      sample.longestTurn,
      { atMost: 50, unit: 'ms', digits: 0 },
      all(sample),
    );
  return [
    turn(`report of ${clients.toLocaleString('en')} clients`, found.report),
    turn('its page', found.page),
    turn('page Clients', found.clients),
    turn('search of events', found.search),
    turn('session as HTML', found.exported),
    turn('1 MB of unknown names', found.refused),
    row('stop with REPORT_DIR', found.stop.total / 1000, { atMost: 8.5, unit: 's', digits: 1 }, all(found.stop), found),
  ];
}

function all({ total, cpu, turnCpu }) {
  return `${turnCpu.toFixed(0)} ms of CPU in one turn; ${total.toFixed(0)} ms in all, ${cpu.toFixed(0)} ms of CPU`;
}
