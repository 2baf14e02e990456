import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { providePrograms, resultsArgs, runsFor } from '../../scripts/test-replicas.mjs';
import { ofOneProcess } from '../replicas/replicated/of-one-process.ts';

/** A machine whose package manager has the packages `available`. */
function machine({ has = [] as string[], available = [] as string[], hasPackages = true } = {}) {
  const installed = new Set(has);
  const told: string[] = [];
  return {
    told,
    hasPackages,
    find: (name: string) => (installed.has(name) ? `/usr/bin/${name}` : undefined),
    isAvailable: (name: string) => available.includes(name),
    say: (line: string) => void told.push(line),
    run(...command: string[]) {
      told.push(`run ${command.join(' ')}`);
      if (command.includes('install')) for (const name of available) if (command.includes(name)) installed.add(name);
    },
  };
}

describe('the programs that the tests of replicas need', () => {
  it('are installed where they are missing, and each command is told before it runs', () => {
    const bookworm = machine({ available: ['redis-server', 'haproxy'] });
    expect(providePrograms(bookworm)).toEqual(['redis-server']);
    const ran = bookworm.told.filter(line => line.startsWith('run '));
    expect(ran.at(-1)).toMatch(/ haproxy redis-server$/);
    for (const line of ran) {
      const command = line.replace('run ', '');
      expect(bookworm.told[bookworm.told.indexOf(line) - 1]).toContain(command);
    }
  });

  it('are joined by the other engine where there is a package of it', () => {
    const upgraded = machine({ has: ['redis-server', 'haproxy'], available: ['valkey-server'] });
    expect(providePrograms(upgraded)).toEqual(['redis-server', 'valkey-server']);
    const bookworm = machine({ has: ['redis-server', 'haproxy'] });
    expect(providePrograms(bookworm)).toEqual(['redis-server']);
    expect(bookworm.told).toEqual([]);
  });

  it('are left alone where they are there', () => {
    const trixie = machine({ has: ['redis-server', 'valkey-server', 'haproxy'] });
    expect(providePrograms(trixie)).toEqual(['redis-server', 'valkey-server']);
    expect(trixie.told).toEqual([]);
  });

  it.each([
    [[], /need redis-server \(6.2 or newer\) or valkey-server \(7.2 or newer\) and haproxy\./],
    [['haproxy'], /need redis-server \(6.2 or newer\) or valkey-server \(7.2 or newer\)\./],
    [['valkey-server'], /need haproxy\./],
  ])('are named where %j is all there is and nothing can be installed', (has, words) => {
    const elsewhere = machine({ has, hasPackages: false });
    expect(() => providePrograms(elsewhere)).toThrow(words);
    expect(elsewhere.told).toEqual([]);
  });
});

describe('the runs', () => {
  it('have the contract of the store a second time where there is a second engine', () => {
    const engines = (found: string[]) => runsFor(found, false).map(({ engine }) => engine);
    expect(engines(['redis-server'])).toEqual(['redis-server', 'redis-server']);
    expect(engines(['redis-server', 'valkey-server'])).toEqual(['redis-server', 'redis-server', 'valkey-server']);
  });

  it('name files that exist, and no flow test that needs one process', () => {
    const files = runsFor(['redis-server', 'valkey-server'], false).flatMap(({ args }) =>
      args.filter(arg => arg.endsWith('.ts')),
    );
    expect(files.filter(file => !existsSync(file))).toEqual([]);
    const excluded = Object.keys(ofOneProcess).map(name => `test/flows/${name}.test.ts`);
    expect(excluded.filter(file => !existsSync(file) || files.includes(file))).toEqual([]);
  });

  it('have all flow tests that can run over replicas with --full', () => {
    expect(runsFor(['redis-server'], true)[1]?.args).toEqual(['--project', 'replicated flows']);
  });

  it('leave their results in a file each where a folder is given, so that the gate can name what failed', () => {
    expect(resultsArgs(undefined, 0)).toEqual([]);
    expect([0, 1].map(run => resultsArgs('/results', run).at(-1))).toEqual([
      '--outputFile.json=/results/replicas-0.json',
      '--outputFile.json=/results/replicas-1.json',
    ]);
  });
});
