import type { ParsedObject } from '../../../protocol/json-parameter.ts';

const names: readonly (readonly [given: string, family: string, locale: string, zone: string])[] = [
  ['Amara', 'Okafor', 'en-NG', 'Africa/Lagos'],
  ['Bruno', 'Castelli', 'it-IT', 'Europe/Rome'],
  ['Chiara', 'Fontana', 'it-CH', 'Europe/Zurich'],
  ['Dmitri', 'Sokolov', 'et-EE', 'Europe/Tallinn'],
  ['Elif', 'Yıldız', 'tr-TR', 'Europe/Istanbul'],
  ['Finn', 'Ó Briain', 'en-IE', 'Europe/Dublin'],
  ['Greta', 'Lindqvist', 'sv-SE', 'Europe/Stockholm'],
  ['Hiro', 'Tanaka', 'ja-JP', 'Asia/Tokyo'],
  ['Inés', 'Marín', 'es-AR', 'America/Argentina/Buenos_Aires'],
  ['Jonas', 'Weiß', 'de-AT', 'Europe/Vienna'],
  ['Kavya', 'Raman', 'en-IN', 'Asia/Kolkata'],
  ['Léa', 'Fournier', 'fr-CA', 'America/Toronto'],
  ['Mateus', 'Conceição', 'pt-BR', 'America/Sao_Paulo'],
  ['Noor', 'van Dijk', 'nl-NL', 'Europe/Amsterdam'],
  ['Oskar', 'Wójcik', 'pl-PL', 'Europe/Warsaw'],
  ['Priya', 'Sharma', 'en-GB', 'Europe/London'],
];

/** An invented person, with an e-mail address that cannot exist (RFC 2606). `number` distinguishes persons of one name. */
export function madeUpPerson(index: number, number: number): { readonly sub: string; readonly claims: ParsedObject } {
  const [given_name, family_name, locale, zoneinfo] = names[index % names.length] ?? names[0] ?? ['', '', '', ''];
  const sub = `${plain(given_name)}.${plain(family_name)}.${number}`;
  const claims = {
    name: `${given_name} ${family_name}`,
    given_name,
    family_name,
    preferred_username: sub,
    email: `${sub}@example.com`,
    email_verified: true,
    locale,
    zoneinfo,
  };
  return { sub, claims };
}

export const howManyNames = names.length;

/** A `sub` is ASCII (OIDC Core §2). */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replace(/[^a-z]/g, '');
}
