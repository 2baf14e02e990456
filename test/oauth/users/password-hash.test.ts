import * as crypto from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canCheckHash, hashFault, hashFits } from '../../../src/oauth/users/password-hash.ts';
import { phcText } from '../../../src/text/phc.ts';

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
const salt = Buffer.from('salt').toString('base64');
const argon2 = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';

describe('a hashed password', () => {
  const ofSha512 = crypto.pbkdf2Sync('password', 'salt', 210_000, 64, 'sha512').toString('base64');
  it.each([
    [
      'PBKDF2 with SHA-1 (RFC 6070)',
      phcText('pbkdf2', { i: 4096 }, salt, base64('4b007901b765489abead49d926f721d065a429c1')),
      'password',
    ],
    [
      'PBKDF2 with SHA-256 (RFC 7914 §11)',
      phcText(
        'pbkdf2-sha256',
        { i: 1 },
        salt,
        base64(
          '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783',
        ),
      ),
      'passwd',
    ],
    ['PBKDF2 with SHA-512', phcText('pbkdf2-sha512', { i: 210_000 }, salt, ofSha512), 'password'],
    [
      'the form of passlib',
      '$pbkdf2-sha256$8000$XAuBMIYQQogxRg$tRRlz8hYn63B9LYiCd6PRo6FMiunY9ozmMMI3srxeRE',
      'password',
    ],
  ])('%s fits its password and no other', async (_, hash, password) => {
    expect(hashFault(hash)).toBeUndefined();
    expect(await hashFits(hash, password)).toBe(true);
    expect(await hashFits(hash, `${password} `)).toBe(false);
  });

  it('by Argon2 is checked where Node can, and otherwise fits any', async () => {
    const isThere = typeof crypto.argon2 === 'function';
    expect(hashFault(argon2)).toBeUndefined();
    expect(canCheckHash(argon2)).toBe(isThere);
    expect(await hashFits(argon2, 'password')).toBe(true);
    expect(await hashFits(argon2, 'guess')).toBe(!isThere);
  });

  it('is computed beside the event loop', async () => {
    const order: string[] = [];
    const hash = phcText('pbkdf2-sha512', { i: 500_000 }, salt, base64('00'.repeat(64)));
    const checked = hashFits(hash, 'guess').then(() => order.push('checked'));
    await new Promise(resolve => setTimeout(resolve, 0)).then(() => order.push('turn'));
    await checked;
    expect(order).toEqual(['turn', 'checked']);
  });

  it.each([
    ['plain text', 'secret', 'PHC format'],
    ['bcrypt', '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', 'PHC format'],
    ['an unknown function', phcText('md5', { i: 1 }, salt, salt), 'a hash by pbkdf2-sha256'],
    ['no iterations', phcText('pbkdf2-sha256', { t: 1 }, salt, base64('00'.repeat(32))), 'the parameter i'],
    ['too many iterations', phcText('pbkdf2', { i: 99_000_000 }, salt, base64('00'.repeat(32))), 'from 1 to 10000000'],
    ['too much memory', argon2.replace('m=65536', 'm=9999999'), 'the parameter m'],
    ['a salt too short for Argon2', argon2.replace('c29tZXNhbHQ', 'c28'), 'a longer salt'],
    ['a hash too short to tell passwords apart', phcText('pbkdf2', { i: 1 }, salt, 'AAA'), '4 to 512 bytes'],
  ])('cannot be %s', (_, hash, expected) => {
    expect(hashFault(hash)).toContain(expected);
  });
});
