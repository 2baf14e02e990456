import * as crypto from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { phcText } from '../../../src/base/text/phc.ts';
import { canCheckHash, hashFits, hashProblem } from '../../../src/protocol/users/password-hash.ts';

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
    ['PBKDF2 with SHA-1, as Auth0 names it', '$pbkdf2-sha1$i=4096,l=20$c2FsdA$SwB5AbdlSJq+rUnZJvch0GWkKcE', 'password'],
    // of the tests of crypt_blowfish, and of an export of Auth0
    ['bcrypt', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U'],
    ['bcrypt, as PHP names it', '$2y$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK', 'U*U*'],
    ['bcrypt, as Auth0 exports it', '$2b$10$yobOT8CyiI3Ls6BM/.MNWu.O6UcaOinlpRnEkPJttZn2dQZ5uZC42', '42'],
    // the following were made by openssl
    ['MD5', phcText('md5', {}, '', base64('5f4dcc3b5aa765d61d8327deb882cf99')), 'password'],
    ['MD5 of a salt and a password', '$md5$bmFjbA$pnA0e/Byj5b6U6sQpTboQg', 'password'],
    [
      'SHA-1 of UTF-16, with the salt last',
      '$sha1$pos=suffix,enc=utf16le$bmFjbA$omolLX4C9m1LCmY+L1rAPwuHxDM',
      'pässwort',
    ],
    ['RIPEMD-160', '$ripemd160$$LAjo9YhHUKe5n28vNC/GONsl/zE', 'password'],
    [
      'SHA-512 of a salt and a password',
      '$sha512$bmFjbA==$x8rkW1kTn3NKVxtZ+1oQ4tXePvL8aDv+YVQ8WNE2khWwJTgPiNebxS+foE1UQ/vEYPrke8eIravbyhMUF6JjDw==',
      'password',
    ],
    [
      'HMAC with SHA-256',
      phcText(
        'hmac-sha256',
        { k: 'c2VjcmV0' },
        'bmFjbA==',
        base64('91f28972cf1b0d558708017902a4ac16996ac69ce12a1a933f76d7f11d739c89'),
      ),
      'password',
    ],
    ['HMAC with the salt last', '$hmac-sha1$k=c2VjcmV0,pos=suffix$bmFjbA$6c4hjQ3iMVCYUYdkhlnUrA681YQ', 'password'],
    ['{SHA} of LDAP', '{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=', 'password'],
    ['{SSHA} of LDAP', '{SSHA}yZ2olCmRnRCqxdybqfYilk9gqEluYWNs', 'password'],
    ['{SMD5} of LDAP', '{smd5}vrHQUxCzyEq6PwQscBkxUG5hY2w=', 'password'],
    [
      '{SSHA512} of LDAP',
      '{SSHA512}x7vo/uApojP3ope2G5dBai7Qrd9BMV0p21G5WcC9clwilwJLq+31TcBudcy2BUK4ilkZ/6sqIAJCl0VkV61v3m5hY2w=',
      'password',
    ],
  ])('%s fits its password and no other', async (_, hash, password) => {
    expect(hashProblem(hash)).toBeUndefined();
    expect(await hashFits(hash, password)).toBe(true);
    expect(await hashFits(hash, `${password} `)).toBe(false);
  });

  it('by Argon2 is checked where Node can, and otherwise fits any', async () => {
    const isThere = typeof crypto.argon2 === 'function';
    expect(hashProblem(argon2)).toBeUndefined();
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

  it('by bcrypt has the first 72 bytes of a password', async () => {
    const hash = '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui';
    const whole = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
    const typed = [`${whole}chars after 72 are ignored`, whole, whole.slice(1)];
    expect(await Promise.all(typed.map(each => hashFits(hash, each)))).toEqual([true, true, false]);
  });

  it('by bcrypt waits for the turn after another one', async () => {
    let turn = 0;
    const count = () => {
      turn += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const hash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
    const turns = await Promise.all(['a', 'b', 'c'].map(typed => hashFits(hash, typed).then(() => turn)));
    clearImmediate(counting);
    expect(new Set(turns).size).toBe(3);
  });

  it.each([
    ['plain text', 'secret', 'PHC format'],
    ['bcrypt of a cost too high', '$2b$16$yobOT8CyiI3Ls6BM/.MNWu.O6UcaOinlpRnEkPJttZn2dQZ5uZC42', 'cost from 04 to 15'],
    ['bcrypt of a cost too low', '$2b$03$yobOT8CyiI3Ls6BM/.MNWu.O6UcaOinlpRnEkPJttZn2dQZ5uZC42', 'cost from 04 to 15'],
    ['half a hash of bcrypt', '$2b$10$yobOT8CyiI3Ls6BM/.MNWu.O6UcaOinlpRnEk', '31 of hash'],
    ['bcrypt in the PHC format', phcText('bcrypt', { r: 10 }, salt, base64('00'.repeat(31))), 'the parameter cost'],
    ['an unknown function', phcText('md4', { i: 1 }, salt, salt), 'a hash by pbkdf2-sha256'],
    ['no iterations', phcText('pbkdf2-sha256', { t: 1 }, salt, base64('00'.repeat(32))), 'the parameter i'],
    ['too many iterations', phcText('pbkdf2', { i: 99_000_000 }, salt, base64('00'.repeat(32))), 'from 1 to 10000000'],
    ['too much memory', argon2.replace('m=65536', 'm=9999999'), 'the parameter m'],
    ['a salt too short for Argon2', argon2.replace('c29tZXNhbHQ', 'c28'), 'a longer salt'],
    ['a cost that is no power of 2', '$scrypt$ln=14.5,r=8,p=1$c2FsdA$aGFzaGhhc2g', 'the parameter ln'],
    ['half a digest', '$sha256$c2FsdA$aGFzaGhhc2g', 'a hash of 32 bytes'],
    ['a digest of LDAP without its salt', '{SHA}yZ2olCmRnRCqxdybqfYilk9gqEluYWNs', 'a hash of 20 bytes'],
    ['HMAC without a key', '$hmac-sha1$k=$$W6ph5Mm5Pz8GgiULbPgzG37mj9g', 'the parameter k'],
    ['an unknown place of the salt', '$sha1$pos=both$$W6ph5Mm5Pz8GgiULbPgzG37mj9g', 'one of prefix, suffix'],
    ['a different form of LDAP', '{CRYPT}$1$salt$qJH7.N4xYta3aEG/dfqo/0', 'in that of LDAP'],
    ['a hash too short to tell passwords apart', phcText('pbkdf2', { i: 1 }, salt, 'AAA'), '4 to 512 bytes'],
  ])('cannot be %s', (_, hash, expected) => {
    expect(hashProblem(hash)).toContain(expected);
  });
});
