import { invalidClientMetadata } from '../errors.ts';
import { describeValue, shorten } from '../parameters.ts';

/** Members that a person reads or follows (RFC 7591 §2.2). */
const readable = ['client_name', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri'];

/** A member and a language tag; approximates RFC 5646. */
const localizedName = /^([a-z_]+)#([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)$/;

const mostLanguages = 100;

/**
 * The members of metadata in other languages, such as `client_name#de`. They are kept and returned; other names with a
 * `#` are ignored.
 * @throws invalid_client_metadata for a value that the member without a language could not have either
 */
export function localizedMembers(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(metadata)) {
    const member = localizedName.exec(name)?.[1] ?? '';
    if (!readable.includes(member) || value === null) continue;
    if (typeof value !== 'string' || value === '' || (member.endsWith('_uri') && !isWebUrl(value))) {
      const expected = member.endsWith('_uri') ? 'an absolute http or https URL' : 'text that is not empty';
      const details = { sent: describeValue(value, 500), expected };
      throw invalidClientMetadata('client_metadata_invalid', `${shorten(name, 100)}: expected ${expected}`, details);
    }
    found[name] = value;
  }
  const count = Object.keys(found).length;
  if (count <= mostLanguages) return found;
  const description = `there are ${count} members in other languages: expected at most ${mostLanguages}`;
  throw invalidClientMetadata('client_metadata_invalid', description);
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s"<>\\^`{|}]+$/i.test(text) && URL.canParse(text);
}
