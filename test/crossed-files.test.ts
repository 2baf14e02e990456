import { Session } from 'node:inspector/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../src/sandbox/sandbox.ts';

// Who reads how a token comes about opens these files; coverage by V8 counts the functions that ran, and no time.
it('a client-credentials token request crosses at most 35 files', async () => {
  const sandbox = await createSandbox();
  onTestFinished(() => sandbox.stop());
  const askForToken = async () => {
    const answer = await fetch(`${sandbox.issuer}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('sensor:sensor-secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'telemetry:write' }),
    });
    expect(await answer.json()).toMatchObject({ token_type: 'Bearer' });
  };
  const profiler = new Session();
  profiler.connect();
  onTestFinished(() => profiler.disconnect());
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await askForToken(); // loads what a first request loads
  await askForToken(); // by a connection that stays
  await sandbox.events.waitFor('request.completed', () => true);
  const crossedByOneRequest = async () => {
    await profiler.post('Profiler.takePreciseCoverage');
    await askForToken();
    const { result } = await profiler.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ functions }) => functions.some(({ ranges: [all] }) => all?.count))
      .flatMap(({ url }) => /\/src\/(.+\.ts)$/.exec(url)?.[1] ?? []);
  };
  // A timer or a connection that ends may run during one of the requests: a file counts when all three cross it.
  const [first, second, third] = [
    await crossedByOneRequest(),
    await crossedByOneRequest(),
    await crossedByOneRequest(),
  ];
  const crossed = first.filter(file => second.includes(file) && third.includes(file)).sort();
  expect(crossed).toContain('protocol/endpoints/token.ts');
  expect(crossed.length, crossed.join('\n')).toBeLessThanOrEqual(35);
});
