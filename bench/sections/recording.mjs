// What it costs a token that every request is recorded with headers and bodies.
import { inTurn, pick } from '../in-turn.mjs';
import { load } from '../load.mjs';
import { withServers } from '../server.mjs';
import { median, pairedRatio } from '../statistics.mjs';
import { row } from '../table.mjs';

export async function measureRecording({ options, grantbox }) {
  const contestants = { recorded: grantbox(), bare: grantbox({ variables: { RECORDING: 'off' } }) };
  const samples = await withServers(contestants, async servers => {
    const measures = {};
    for (const [name, server] of Object.entries(servers)) {
      await load(server, server.contestant.token, 1); // what is hot is compiled by then
      measures[name] = () => load(server, server.contestant.token, options.seconds);
    }
    return inTurn(options.rounds, measures);
  });
  return rows(samples);
}

function rows({ recorded, bare }) {
  const ratio = name => pairedRatio(pick(recorded, name), pick(bare, name));
  const words = name =>
    `${median(pick(recorded, name)).toFixed(0)} with, ${median(pick(bare, name)).toFixed(0)} without`;
  return [
    row(
      'tokens a second with RECORDING=on',
      ratio('perSecond'),
      { atLeast: 0.9, unit: '× RECORDING=off' },
      words('perSecond'),
      { recorded, bare },
    ),
    row(
      'server CPU for one of them',
      ratio('cpuMicroseconds'),
      { atMost: 1.1, unit: '× RECORDING=off' },
      `µs: ${words('cpuMicroseconds')}`,
    ),
  ];
}
