import { describe, expect, it } from 'vitest';
import { provideChromium } from '../../scripts/chromium.mjs';

/** A machine that has no browser before something was run. */
function machineWithoutBrowser() {
  const told: string[] = [];
  return {
    told,
    find: async () => (told.some(line => line.startsWith('run ')) ? '/somewhere/chromium' : undefined),
    say: (line: string) => void told.push(line),
    run: (...command: string[]) => void told.push(`run ${command.join(' ')}`),
  };
}

describe('the browser of the tests', () => {
  it('is installed where it is missing, and each command is told before it runs', async () => {
    const machine = machineWithoutBrowser();
    expect(await provideChromium({ ...machine, env: {} })).toBe('/somewhere/chromium');
    const [said = '', ...ran] = machine.told;
    expect(said).toContain('SKIP_BROWSER_INSTALL=1');
    expect(ran.length).toBeGreaterThan(0);
    for (const line of ran) expect(said).toContain(line.replace(/^run /, ''));
  });

  it('is not installed with SKIP_BROWSER_INSTALL=1', async () => {
    const machine = machineWithoutBrowser();
    expect(await provideChromium({ ...machine, env: { SKIP_BROWSER_INSTALL: '1' } })).toBeUndefined();
    expect(machine.told).toEqual([expect.stringContaining('SKIP_BROWSER_INSTALL=1')]);
  });

  it('is left alone where it is there', async () => {
    const machine = machineWithoutBrowser();
    expect(await provideChromium({ ...machine, find: async () => '/usr/bin/chromium' })).toBe('/usr/bin/chromium');
    expect(machine.told).toEqual([]);
  });

  it('is joined by the one without windows where that is asked for, and stays the one that is used where that fails', async () => {
    const machine = machineWithoutBrowser();
    const find = async () => '/usr/bin/chromium';
    const options = { ...machine, find, env: {}, wantsShell: true };
    expect(await provideChromium(options)).toBe('/usr/bin/chromium');
    expect(machine.told[0]).toContain('chromium-headless-shell');
    expect(machine.told.some(line => line.startsWith('run '))).toBe(true);
  });
});
