import { expect, it } from 'vitest';
import type { Turns } from '../../../src/base/turns.ts';
import { clientReport } from '../../../src/extensions/report/client-report.ts';
import type { ClientReport } from '../../../src/extensions/report/report.ts';
import { reportAsHtml, reportAsJson, reportAsJunit } from '../../../src/extensions/report/report-formats.ts';
import { countedLog } from '../../support/counted-log.ts';

async function reportOf({ events, reads }: ReturnType<typeof countedLog>, onTurn = () => {}) {
  const perTurn: number[] = [];
  let before = 0;
  const turns: Turns = {
    async giveWay() {
      perTurn.push(reads() - before);
      before = reads();
      onTurn();
    },
    // time goes by as work is done
    now: reads,
  };
  const known = {
    events,
    issuer: 'http://localhost',
    iss: 'http://localhost',
    base: '',
    clock: () => 1000,
    scopes: [],
    endpoints: [],
  };
  const report: ClientReport = await clientReport(
    { ...known, registered: () => [], accounts: () => [], recording: true },
    turns,
  );
  perTurn.push(reads() - before);
  return { report, perTurn };
}

it.each([10, 1000])(
  'of %i clients reads a few dozen parts of requests in one turn of the event loop',
  async clients => {
    const log = countedLog(clients);
    const { report, perTurn } = await reportOf(log);
    expect(report.clients).toHaveLength(clients);
    expect(report.clients[0]?.summary.fail).toBeGreaterThan(1);
    expect(perTurn.length).toBeGreaterThan(clients);
    expect(Math.max(...perTurn)).toBeLessThan(50);
  },
);

it.each([
  ['JSON', reportAsJson],
  ['HTML', reportAsHtml],
  ['JUnit XML', reportAsJunit],
])('is written as %s in pieces of one client each', async (_, write) => {
  const longestOf = async (clients: number) => {
    const { report } = await reportOf(countedLog(clients));
    let longest = 0;
    for await (const piece of write(report)) longest = Math.max(longest, piece.length);
    return longest;
  };
  expect(await longestOf(50)).toBeLessThan(1.1 * (await longestOf(5)));
});

it('reads what it has begun with, although the log forgets it meanwhile', async () => {
  const log = countedLog(10, 20);
  const whole = await reportOf(countedLog(10, 20));
  let turn = 0;
  const { report } = await reportOf(log, () => {
    turn++;
    // all ten clients are read by then, and the checks have begun
    if (turn === whole.perTurn.length - 5)
      for (let n = 0; n < 20; n++)
        log.add(`req_n${n}`, 'discovery', log.exchangeOf('/.well-known/openid-configuration'));
  });
  expect(turn).toBeGreaterThan(10);
  expect(report.clients).toEqual(whole.report.clients);
});
