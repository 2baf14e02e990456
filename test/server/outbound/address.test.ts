import { describe, expect, it } from 'vitest';
import { addressKind } from '../../../src/server/outbound/address.ts';

describe('an address', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:127.0.0.1',
  ])('%s is loopback', address => {
    expect(addressKind(address)).toBe('loopback');
  });

  it.each([
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.65.2',
    '100.64.0.1',
    '100.127.255.255',
    '198.18.0.5',
    '::ffff:10.0.0.1',
    '::ffff:c0a8:101',
    'fc00::1',
    'fd12:3456:789a::1',
  ])('%s is private', address => {
    expect(addressKind(address)).toBe('private');
  });

  it.each(['93.184.215.14', '9.255.255.255', '172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '192.169.0.1'])(
    '%s is public',
    address => {
      expect(addressKind(address)).toBe('public');
    },
  );

  it.each(['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:93.184.215.14', '64:ff9b::5db8:d70e'])(
    '%s is public',
    address => {
      expect(addressKind(address)).toBe('public');
    },
  );

  it.each([
    ['0.0.0.0', 'any address of this machine'],
    ['0.1.2.3', 'this network'],
    ['::', 'any address of this machine'],
    ['::ffff:0.0.0.0', 'the same, mapped'],
    ['169.254.0.1', 'link-local'],
    ['169.254.169.254', 'metadata of most clouds'],
    ['169.254.170.2', 'credentials of containers'],
    ['::ffff:169.254.169.254', 'metadata, mapped'],
    ['::ffff:a9fe:a9fe', 'metadata, mapped and in hexadecimal'],
    ['0:0:0:0:0:ffff:a9fe:a9fe', 'metadata, mapped and in full'],
    ['64:ff9b::a9fe:a9fe', 'metadata behind a translator'],
    ['64:ff9b::7f00:1', 'loopback behind a translator'],
    ['64:ff9b::a00:1', 'a private network behind a translator'],
    ['64:ff9b::5', 'this network behind a translator'],
    ['64:ff9b:1::1', 'a translator of one network'],
    ['::ffff:0:7f00:1', 'translated, not mapped'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['2002:7f00:1::', '6to4'],
    ['2001:0:7f00:1::', 'Teredo'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['fd00:ec2::254', 'metadata of AWS'],
    ['fd20:ce::254', 'metadata of Google Cloud'],
    ['100.100.100.200', 'metadata of Alibaba Cloud'],
    ['168.63.129.16', 'the host of Azure'],
    ['192.0.0.192', 'metadata of Oracle Cloud'],
    ['192.0.2.1', 'documentation'],
    ['2001:db8::1', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['100::1', 'discarded'],
    ['', 'nothing'],
    ['localhost', 'a name'],
    ['127.1', 'a short form, which only a URL may have'],
    ['0x7f.0.0.1', 'a hexadecimal form, likewise'],
  ])('%s is forbidden: %s', address => {
    expect(addressKind(address)).toBe('forbidden');
  });
});
