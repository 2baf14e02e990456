import { renderUnicodeCompact } from 'uqr';
import { defined } from '../../../base/defined.ts';
import {
  type Command,
  CommandFailure,
  type Given,
  type Machine,
  textOf,
  type World,
} from '../../../client/cli/command.ts';
import { defaultAddress } from '../../../client/cli/healthcheck.ts';
import { lanAddress } from './lan-address.ts';

/** `grantbox workshop`. */
export const command: Command = {
  usage: '[--seats <number>] [--address <host>] [--port <port>] [--file <path>]',
  about: [
    'Starts a sandbox as the room of a workshop, for everybody in the local network. It prints the address that learners open, its QR code, the address of the board, and the key of the trainer.',
    'Sets WORKSHOP, HOST, ISSUER and ALLOWED_HOSTS; the other settings are those of grantbox start, from variables and a configuration file. HOST, ISSUER and CONTROL_TOKEN count where you set them.',
  ],
  flags: [
    { name: 'seats', value: '<number>', about: 'Number of seats, from 1 to 60', fallback: 'WORKSHOP, or 24' },
    {
      name: 'address',
      value: '<host>',
      about: 'Address or name of this machine in the local network',
      fallback: 'its address in a private network',
    },
    { name: 'port', value: '<port>', about: 'Port to listen on', fallback: 'PORT, or 9000' },
    {
      name: 'file',
      value: '<path>',
      about: 'File in which the room is saved each minute, and restored from at the start',
      fallback: 'WORKSHOP_FILE, or none',
    },
  ],
  examples: [
    ['grantbox workshop --seats 24', 'a room of 24 seats'],
    ['grantbox workshop --file room.json', 'a room that outlives a restart'],
    ['CONTROL_TOKEN=secret grantbox workshop --address 192.168.1.20', 'with a key and an address of your own'],
  ],
  async run(given, world) {
    return { code: 0, out: '', note: '', start: flagsOf(given, world) };
  },
};

function flagsOf(given: Given, { environment = {}, machine }: World): Readonly<Record<string, string>> {
  const port = textOf(given, 'port') ?? environment.PORT;
  const seats = textOf(given, 'seats') ?? environment.WORKSHOP ?? '24';
  const flags = {
    workshop: seats,
    ...defined({ port, 'workshop-file': textOf(given, 'file') }),
    host: environment.HOST ?? '0.0.0.0',
  };
  if (environment.ISSUER !== undefined) return flags;
  const address = textOf(given, 'address') ?? addressOf(machine);
  const found = defaultAddress({ ...environment, PORT: port, HOST: address }, 'localhost');
  if ('problem' in found) throw new CommandFailure(found.problem);
  const names = [address, ...(machine === undefined ? [] : [machine.hostname(), `${machine.hostname()}.local`])];
  const hosts: Record<string, string> =
    environment.ALLOWED_HOSTS === undefined ? { 'allowed-hosts': names.join(',') } : {};
  return { ...flags, issuer: found.url, ...hosts };
}

function addressOf(machine: Machine | undefined): string {
  const address = lanAddress(machine?.addresses() ?? []);
  if (address !== undefined) return address;
  throw new CommandFailure(
    'this machine has no address in a local network. Connect it to the network of the room, or give its address with --address',
  );
}

/** The QR code of the address that learners open, for a terminal, indented as the lines above it. */
export function qrLines(address: string): readonly string[] {
  return renderUnicodeCompact(address, { ecc: 'L', border: 1 })
    .split('\n')
    .map(line => `  ${line}`);
}
