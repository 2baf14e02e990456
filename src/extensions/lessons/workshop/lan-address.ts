import type { MachineAddress } from '../../../client/cli/command.ts';

/** Bridges and tunnels of containers and virtual machines, which nobody else in a room reaches. */
const virtual = /^(docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap|zt|tailscale|wg|cni|flannel)/;

/** The ranges of private networks (RFC 1918 §3), the commonest of rooms first. */
const ranges = [/^192\.168\./, /^10\./, /^172\.(1[6-9]|2\d|3[01])\./];

/** The address at which other machines of the local network reach this one; undefined where there is none. */
export function lanAddress(addresses: readonly MachineAddress[]): string | undefined {
  const reachable = addresses.filter(
    ({ name, family, internal }) => family === 'IPv4' && !internal && !virtual.test(name),
  );
  const rank = ({ address }: MachineAddress) => {
    const found = ranges.findIndex(range => range.test(address));
    return found === -1 ? ranges.length : found;
  };
  return reachable.filter(({ address }) => !address.startsWith('169.254.')).toSorted((a, b) => rank(a) - rank(b))[0]
    ?.address;
}
