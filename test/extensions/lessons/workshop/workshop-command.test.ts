import { describe, expect, it } from 'vitest';
import type { MachineAddress } from '../../../../src/client/cli/command.ts';
import { lanAddress } from '../../../../src/extensions/lessons/workshop/lan-address.ts';
import { type } from '../../../client/cli/support.ts';
import { observes } from '../../../observed.ts';
import { runningChild } from '../../../support/child.ts';
import { freePort } from '../../../support/free-port.ts';

const at = (address: string, name = 'eth0', family = 'IPv4'): MachineAddress => ({
  ...{ name, address, family },
  internal: address.startsWith('127.'),
});
const machine = { addresses: () => [at('127.0.0.1', 'lo'), at('192.168.1.20')], hostname: () => 'laptop' };

describe('the address of a machine in the local network', () => {
  it.each([
    ['a private one before a public one', [at('203.0.113.7'), at('10.1.2.3')], '10.1.2.3'],
    ['a home network before a large one', [at('10.1.2.3'), at('192.168.1.20')], '192.168.1.20'],
    ['no bridge of containers', [at('172.17.0.1', 'docker0'), at('172.20.0.4', 'wlan0')], '172.20.0.4'],
    ['no IPv6, no loopback, none without a DHCP server', [at('fd00::1', 'eth0', 'IPv6'), at('169.254.3.4')], undefined],
    ['a public one where there is no other', [at('127.0.0.1', 'lo'), at('203.0.113.7')], '203.0.113.7'],
  ])('is %s', (_, addresses, expected) => {
    expect(lanAddress(addresses)).toBe(expected);
  });
});

describe('grantbox workshop', () => {
  it('sets the seats, the issuer and the hosts for the local network', async () => {
    observes('command workshop --seats', 'command workshop --address', 'command workshop --port');
    expect((await type(['workshop'], { machine })).start).toEqual({
      workshop: '24',
      host: '0.0.0.0',
      issuer: 'http://192.168.1.20:9000',
      'allowed-hosts': '192.168.1.20,laptop,laptop.local',
    });
    const typed = ['workshop', '--seats', '8', '--port', '9100', '--address', 'room.local'];
    observes('command workshop --file');
    const kept = await type(['workshop', '--file', 'room.json'], { machine });
    expect(kept.start).toMatchObject({ 'workshop-file': 'room.json' });
    expect((await type(typed, { machine })).start).toMatchObject({
      workshop: '8',
      port: '9100',
      issuer: 'http://room.local:9100',
    });
  });

  it('leaves variables alone that somebody set', async () => {
    const environment = { HOST: '127.0.0.1', ISSUER: 'https://room.example', WORKSHOP: '6' };
    const { start } = await type(['workshop'], { machine, environment });
    expect(start).toEqual({ workshop: '6', host: '127.0.0.1' });
    const secure = await type(['workshop'], { machine, environment: { TLS: 'self-signed' } });
    expect(secure.start?.issuer).toBe('https://192.168.1.20:9000');
  });

  it('asks for an address where the machine has none', async () => {
    const outcome = await type(['workshop'], { machine: { ...machine, addresses: () => [at('127.0.0.1', 'lo')] } });
    expect([outcome.code, outcome.note]).toEqual([1, expect.stringContaining('give its address with --address')]);
  });

  it('starts the room, and prints its addresses and the key of the trainer', async () => {
    observes('command workshop');
    const port = String(await freePort());
    const args = ['workshop', '--seats', '2', '--address', '127.0.0.1', '--port', port];
    await using child = await runningChild({ args, env: { HOST: '127.0.0.1' } });
    const { join, room, key = '' } = child.ready;
    expect([join, room]).toEqual([`http://127.0.0.1:${port}/join`, `http://127.0.0.1:${port}/room`]);
    expect(await (await fetch(join ?? '')).text()).toContain('2 seats are free');
    const exported = await fetch(`${room}/export`, { headers: { Authorization: `Bearer ${key}` } });
    expect(await exported.json()).toMatchObject({ grantbox: 'workshop', seats: [] });
  });

  it('does not print a key that the trainer chose', async () => {
    const port = String(await freePort());
    const args = ['workshop', '--address', '127.0.0.1', '--port', port];
    const env = { HOST: '127.0.0.1', CONTROL_TOKEN: 'chosen by the trainer', LOG_FORMAT: 'pretty' };
    await using child = await runningChild({ args, env });
    expect(child.output.stdout).toContain('the value of CONTROL_TOKEN');
    expect(child.output.stdout).not.toContain('chosen by the trainer');
    expect(child.output.stdout).toContain('▀▀▀▀▀▀▀'); // the QR code
  });
});
