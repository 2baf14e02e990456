import { type Case, named, shown } from '../case.ts';
import { compareText, misspelt } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import type { Comparison, ProposedFix } from '../problem.ts';
import { advice, isOurs, patchClient } from '../remedies.ts';
import { clientLines, inApp, literal } from '../source-text.ts';
import { pieces } from '../url-difference.ts';

/** Refused scopes (RFC 6749 §3.3). */
export const scopeEntries = {
  scope_not_registered: {
    title: refused => {
      const unknown = unknownNames(refused);
      if (unknown.length === 0 || unknown.length < foreign(refused).length || hasCommas(refused))
        return `${named(refused.who)} may not request scope ${namesOf(refused)}`;
      return unknown.length === 1 ? `Unknown scope ${namesOf(refused)}` : `Unknown scopes ${namesOf(refused)}`;
    },
    why: refused =>
      `${hasCommas(refused) ? 'Spaces separate scopes. This value has a different separator, so it counts as one name. ' : ''}${kindWords(refused)} One unregistered scope refuses the whole request, so that an app never gets fewer scopes than it expects.`,
    fix: "Request only scopes in the client's registration, or add this one there.",
    rfc: 'RFC 6749 §3.3',
    compare: compareScopes,
    fixes: refused => [...corrected(refused), ...addScopes(refused), ...defineScopes(refused)],
    references: ['RFC 6749 §4.1.2.1'],
  },
  scope_malformed: {
    title: 'The scope has characters that are not allowed',
    why: 'A scope may contain visible ASCII characters except quotes and backslashes. One space separates two scopes.',
    fix: 'Separate scopes by one space. Commas and quotes do not separate scopes.',
    rfc: 'RFC 6749 §3.3',
  },
  scope_missing: {
    title: 'The request names no scope',
    why: 'This issuer speaks like a provider that refuses a request without `scope`, unless the client has default scopes.',
    fix: 'Request a scope, or give the client a `default_scope`.',
    rfc: 'RFC 6749 §3.3',
    compare: compareScopes,
  },
  scope_missing_openid: {
    title: 'The scope `openid` is missing',
    why: ({ error }) =>
      `The scope \`openid\` asks for an identity. Without it there is no ID token, and UserInfo returns no claims. ${error.endpoint === 'userinfo' ? 'The sign-in of this token did not request it.' : ''}`.trim(),
    fix: 'Request the scope openid when the sign-in starts.',
    rfc: 'OIDC Core §3.1.2.1',
    compare: ({ error, parameters }) =>
      compareText(error.sent ?? parameters.get('scope') ?? 'no scope', ['openid'], {
        expectedLabel: 'Must include',
      }),
    fixes: ({ parameters }) => [
      advice(
        'Request the scope `openid` when the sign-in starts.',
        inApp(`scope: '${['openid', parameters.get('scope') ?? ''].join(' ').trim()}'`),
      ),
    ],
  },
  scope_widened: {
    title: refused => `${namesOf(refused)} was not granted before`,
    why: 'The user agreed to the scopes of the sign-in. A refresh or an exchange may request fewer scopes, but no new ones.',
    fix: 'Sign in again with the larger scope. A refresh or an exchange may request fewer scopes than were granted, but no new ones.',
    rfc: 'RFC 6749 §6',
    compare: compareScopes,
  },
} as const satisfies ReasonEntries;

function namesOf(refused: Case): string {
  const names = foreign(refused).map(name => `\`${shown(name, 60)}\``);
  return names.length === 0 ? 'this scope' : names.join(', ');
}

function foreign({ error }: Case): readonly string[] {
  return (error.sent ?? '').split(' ').filter(name => name !== '');
}

function allowed({ error }: Case): readonly string[] {
  return error.expected === 'no scope' ? [] : (error.expected ?? '').split(' ');
}

function hasCommas(refused: Case): boolean {
  return foreign(refused).some(name => isList(refused, name));
}

function isList(refused: Case, name: string): boolean {
  const parts = partsOf(name);
  return parts.length > 1 && parts.every(part => isKnown(refused, part));
}

function partsOf(name: string): readonly string[] {
  return name.split(/[,;|+]/).filter(part => part !== '');
}

function isKnown({ known, client }: Case, name: string): boolean {
  return known.scopes.some(each => each.name === name) || client?.scope.split(' ').includes(name) === true;
}

/** Scopes that are defined nowhere. What the log shortened is not compared. */
function unknownNames(refused: Case): readonly string[] {
  return foreign(refused).filter(name => !isKnown(refused, name));
}

/** The lines that define scopes for all clients without a `scope` of their own. */
function defineScopes(refused: Case): readonly ProposedFix[] {
  const unknown = unknownNames(refused).filter(name => !meantNames(refused).has(name) && !name.includes('...'));
  if (unknown.length === 0 || hasCommas(refused)) return [];
  const scopes = Object.fromEntries(unknown.map(name => [name, { description: '…' }]));
  const text = 'Or define it in the configuration. A client without `scope` may request every defined scope.';
  return [advice(text, { where: 'clients.config.ts', code: `scopes: ${literal(scopes)}` })];
}

function kindWords(refused: Case): string {
  const unknown = unknownNames(refused);
  if (unknown.length > 1) return 'These scopes do not exist.';
  if (unknown.length === 1) return 'This scope does not exist.';
  return foreign(refused).length === 1
    ? 'The scope exists here, but it is not registered for this client.'
    : 'The scopes exist here, but they are not registered for this client.';
}

/** Compares all scopes of the request with the allowed ones, and marks those that are not allowed. */
function compareScopes(refused: Case): Comparison {
  const wrong = new Set(foreign(refused));
  const asked = (refused.parameters.get('scope') ?? refused.error.sent ?? '').split(' ').slice(0, 40);
  const sent = asked.flatMap((name, index) => pieces([index === 0 ? '' : ' ', false], [name, wrong.has(name)]));
  const { expected } = compareText('', [allowed(refused).join(' ') || 'no scope'], { about: aboutOf(refused) });
  return { sentLabel: 'Your app requested', sent, expectedLabel: 'Allowed', expected };
}

function aboutOf({ error, who }: Case): string {
  return error.reason === 'scope_widened' ? 'granted before' : `registered for ${who}`;
}

/** Proposes the whole value with each unknown name replaced by the name that is probably meant. */
function corrected(refused: Case): readonly ProposedFix[] {
  const names = meantNames(refused);
  const wrong = foreign(refused).filter(name => names.has(name));
  if (wrong.length === 0) return [];
  const text = hasCommas(refused)
    ? 'Separate scopes by one space.'
    : `Correct the spelling of ${wrong.map(name => `\`${shown(name, 60)}\``).join(' and ')}.`;
  const asked = refused.parameters.get('scope');
  // only the refused names of a request object are known: a scope of these alone would lose openid
  if (asked === undefined) return [advice(`${text} ${wrong.map(name => `Write \`${names.get(name)}\`.`).join(' ')}`)];
  const scope = [...new Set(asked.split(' ').flatMap(name => (names.get(name) ?? name).split(' ')))].join(' ');
  return [advice(text, inApp(`scope: ${literal(scope)}`))];
}

/** Maps each unknown name to the name that is probably meant, and a list with commas to all its names. */
function meantNames(refused: Case): ReadonlyMap<string, string> {
  const { known, client } = refused;
  const names = [...(client?.scope.split(' ') ?? []), ...allowed(refused), ...known.scopes.map(({ name }) => name)];
  return new Map(
    foreign(refused).flatMap(name => {
      if (isKnown(refused, name)) return [];
      const meant = isList(refused, name) ? partsOf(name).join(' ') : misspelt(name, names);
      return meant === undefined ? [] : [[name, meant] as const];
    }),
  );
}

/** Proposes to register the missing scopes. A misspelt name is registered only by hand, and the probable name by the button. */
function addScopes(refused: Case): readonly ProposedFix[] {
  const { client, who } = refused;
  const asked = foreign(refused);
  if (client === undefined || hasCommas(refused) || asked.some(name => name.includes('...'))) return [];
  const own = client.scope.split(' ').filter(name => name !== '');
  const names = meantNames(refused);
  const missing = [...new Set(asked.map(name => names.get(name) ?? name))].filter(name => !own.includes(name));
  const typed = asked.filter(name => names.has(name));
  const lines = clientLines(client.client_id, { scope: [...own, ...typed].join(' ') });
  // the request itself, with its misspelt name, would be refused again
  const corrected = typed.length === 0 ? refused : { ...refused, request: undefined };
  const add = patchClient(corrected, `Add ${listOf(missing)} to ${who}`, { scope: [...own, ...missing].join(' ') });
  const insist = advice(`Or register \`${listOf(typed)}\` if this spelling is intended.`, lines);
  return [...(missing.length === 0 ? [] : [add]), ...(typed.length === 0 || !isOurs(refused) ? [] : [insist])];
}

function listOf(names: readonly string[]): string {
  return names.map(name => shown(name, 60)).join(' ');
}
