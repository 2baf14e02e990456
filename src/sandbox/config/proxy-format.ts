import { isIP } from 'node:net';
import { checkedText, listOf } from './formats.ts';

const expected = 'loopback, private, an address or a network such as 10.0.0.0/8';

const proxy = checkedText('address', expected, raw => {
  if (raw === 'loopback' || raw === 'private') return undefined;
  const [, address = raw, bits] = /^(.*)\/(\d{1,3})$/.exec(raw) ?? [];
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return most >= 0 && Number(bits ?? 0) <= most ? undefined : expected;
});

/** Addresses of proxies. */
export const proxies = listOf(proxy, 'loopback, private, addresses or networks', 'list of addresses and networks');
