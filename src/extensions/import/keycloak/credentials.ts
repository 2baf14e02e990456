import { phcText } from '../../../base/text/phc.ts';
import type { UserEntry } from '../../../sandbox/config/sandbox-config.ts';
import {
  at,
  type ExportPart,
  ignores,
  lose,
  numberIn,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  type UseTable,
} from '../members.ts';
import { readJson } from '../read-json.ts';

const credentialUses: UseTable = {
  ...reads('type value secretData credentialData salt hashedSaltedValue algorithm hashIterations'),
  ...ignores('id createdDate userLabel priority counter digits period device config federationLink'),
  temporary: { lost: 'nobody is asked for a new password' },
};

/** Reads `credentials` of a user: a password as text, or else its hash. Empty without both: then any password is accepted. */
export function passwordIn(found: ExportPart): Pick<UserEntry, 'password' | 'password_hash'> {
  const passwords = recordsIn(found).filter(each => {
    const type = textIn(at(each, 'type')) ?? 'password';
    if (type === 'password') tellLost(each, credentialUses, 'a credential');
    else lose(each, 'factors other than a password are not asked for');
    return type === 'password';
  });
  for (const each of passwords) {
    const value = textIn(at(each, 'value'));
    if (value !== undefined) return { password: value };
    const hash = hashIn(each);
    if (hash !== undefined) return { password_hash: hash };
    const meaning =
      'is a hash that the sandbox cannot check, so any password is accepted: write `password` to demand one';
    tell(each, meaning);
  }
  return {};
}

/** Since version 8 two texts of JSON hold the hash; before, members of the credential did. */
function hashIn(found: ExportPart): string | undefined {
  const [secret, data] = [innerJson(found, 'secretData'), innerJson(found, 'credentialData')];
  const salt = textIn(at(secret, 'salt')) ?? textIn(at(found, 'salt'));
  const key = textIn(at(secret, 'value')) ?? textIn(at(found, 'hashedSaltedValue'));
  const algorithm = textIn(at(data, 'algorithm')) ?? textIn(at(found, 'algorithm'));
  // as keycloak-bcrypt stores it, with its salt and cost
  if (algorithm === 'bcrypt') return key;
  const iterations = numberIn(at(data, 'hashIterations')) ?? numberIn(at(found, 'hashIterations'));
  if (salt === undefined || key === undefined || iterations === undefined) return undefined;
  if (algorithm === 'argon2') return argon2(at(data, 'additionalParameters'), iterations, salt, key);
  const isKnown = ['pbkdf2', 'pbkdf2-sha256', 'pbkdf2-sha512'].includes(algorithm ?? '');
  return isKnown ? phcText(algorithm ?? '', { i: iterations }, salt, key) : undefined;
}

/** Each of its parameters is a list of one text. Version 1.0 of the algorithm has no form that can be checked. */
function argon2(parameters: ExportPart, passes: number, salt: string, key: string): string | undefined {
  const [type, version, memory, lanes] = ['type', 'version', 'memory', 'parallelism'].map(name => {
    const { value, ...place } = at(parameters, name);
    return { ...place, value: Array.isArray(value) ? value[0] : value };
  });
  const [m, p] = [memory, lanes].map(each => each && numberIn(each));
  if (type === undefined || m === undefined || p === undefined) return undefined;
  if (version !== undefined && (textIn(version) ?? '1.3') !== '1.3') return undefined;
  return phcText(`argon2${textIn(type) ?? 'id'}`, { m, t: passes, p }, salt, key);
}

function innerJson(found: ExportPart, name: string): ExportPart {
  const part = at(found, name);
  const read = readJson(textIn(part) ?? '{}');
  return { ...part, value: 'value' in read ? read.value : undefined };
}
