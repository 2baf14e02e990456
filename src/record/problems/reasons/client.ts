import { secretAsClientId } from '../../../protocol/clients/find-client.ts';
import { basicOf, type Case, percentDecoded, sentHeader, shown } from '../case.ts';
import { compareNearest, compareWords, misspelt, nearestNames } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import type { ProposedFix } from '../problem.ts';
import { advice, openAgain, patchClient, secondary } from '../remedies.ts';
import { curlForm, endpointUrl, inApp, literal } from '../source-text.ts';
import { needsSecret, serviceClient } from './service-client.ts';

/** Refusals of an unknown client or of its authentication (RFC 6749 §2). */
export const clientEntries = {
  client_unknown: {
    title: ({ error }) => {
      const secret = secretAsClientId(error.sent);
      return secret === undefined ? `Unknown client \`${shown(error.sent ?? '', 60)}\`` : `The client_id is ${secret}`;
    },
    why: refused =>
      secretAsClientId(refused.error.sent) !== undefined
        ? 'A secret stands where the client_id belongs. With HTTP Basic, the client_id comes first and the client_secret second.'
        : nearestIds(refused).length === 0
          ? 'No client is registered with this client_id, or with a similar one.'
          : 'No client is registered with this client_id. Ids are compared character by character.',
    fix: 'Use the client_id of a registered client, or register this one in clients.config.ts. For a drop-in replacement of a mock that accepts all clients, set CLIENTS=any.',
    rfc: 'RFC 6749 §2.2',
    compare: refused => compareNearest(refused.error.sent ?? '', allIds(refused), 'Registered', 'Nearest registered'),
    fixes: createOrCorrect,
    references: ['RFC 6749 §4.1.2.1'],
    note: ({ error }) =>
      error.endpoint === 'authorize'
        ? {
            title: 'Why we did not redirect',
            text: 'An unknown client has no registered redirect URI, so the server cannot trust any address.',
          }
        : undefined,
  },
  client_unidentified: {
    title: 'The request does not identify a client',
    why: ({ error }) =>
      error.description.includes('is in the query')
        ? 'The client_id is in the query of a POST, but a POST sends its parameters in the body. The server does not read the query.'
        : 'The form has no client_id and the request has no Authorization header, so the server does not know who gets the response.',
    fix: 'Send client_id in the request, or authenticate with HTTP Basic.',
    rfc: 'RFC 6749 §3.2.1',
    fixes: refused => [authenticated(refused, 'client_secret_basic')],
  },
  client_secret_missing: {
    title: '{client} did not authenticate',
    why: refused => {
      const isUsed = refused.parameters.get('client_secret') === '';
      const empty = isUsed
        ? ' The client_secret is empty, which counts as missing. Look for a variable that is not set.'
        : '';
      return `The client is registered with ${methodsOf(refused).join(' or ') || 'an authentication method'}, but the request has no client authentication.${empty}`;
    },
    fix: 'Send the secret of this client with HTTP Basic, or as client_secret in the body if the client is registered for that.',
    rfc: 'RFC 6749 §2.3.1',
    reported: 'A client secret was missing',
    compare: compareMethods,
    fixes: refused => [authenticated(refused, methodsOf(refused)[0] ?? 'client_secret_basic')],
  },
  client_is_public: {
    title: '{client} is a public client and has no secret',
    why: ({ error }) =>
      error.endpoint === 'introspect'
        ? 'Only an authenticated client may introspect tokens. Otherwise anybody could test stolen tokens.'
        : 'A public client, such as a page or a mobile app, cannot keep a secret, so none is registered.',
    fix: 'Use a client with a secret for this grant, or sign a user in with the authorization code grant.',
    rfc: 'RFC 6749 §4.4',
    compare: compareMethods,
    fixes: refused => {
      const { error, parameters } = refused;
      const grant = error.endpoint === 'introspect' ? 'client_credentials' : (parameters.get('grant_type') ?? '');
      if (needsSecret(refused, grant)) return serviceClient(refused, grant);
      return [
        advice(
          'Send client_id only, and leave the secret out of the app.',
          inApp("token_endpoint_auth_method: 'none'"),
        ),
      ];
    },
    references: ['RFC 6749 §2.1'],
  },
  authentication_method_not_registered: {
    title: '{client} is not registered for {sent}',
    why: 'A client must use its registered authentication method, so that nobody can use a weaker one.',
    fix: "Use the registered method, or add this one to the client's token_endpoint_auth_methods.",
    rfc: 'RFC 6749 §2.3',
    compare: compareMethods,
    fixes: refused => [
      ...allowMethod(refused),
      ...methodsOf(refused)
        .slice(0, 1)
        .map(method => authenticated(refused, method)),
    ],
    references: ['RFC 6749 §5.2'],
  },
  authentication_methods_combined: {
    title: 'The request authenticates the client in two ways',
    why: '{description}. One could be right and the other wrong, so a server must refuse both.',
    fix: 'Authenticate in one place only: the Authorization header or the body.',
    rfc: 'RFC 6749 §2.3',
    insteadOfFix:
      'Authenticate in one place only. Many libraries add the Authorization header: remove the secret from the form then.',
  },
  basic_header_malformed: {
    title: 'The Authorization header is not a Basic header',
    why: 'The header must be the word `Basic`, a space, and the base64 of `client_id:client_secret`, where both parts are form-encoded first.',
    fix: 'Form-encode client_id and client_secret, join them with a colon, then encode the result as base64.',
    rfc: 'RFC 6749 §2.3.1',
    compare: ({ error }) => compareWords(`${error.sent ?? ''} …`, 'Basic base64(client_id:client_secret)'),
    fixes: ({ who }) => [
      advice('Let the library or curl write the header.', {
        where: 'Node.js',
        code: `'Basic ' + btoa(encodeURIComponent(${literal(who)}) + ':' + encodeURIComponent(clientSecret))`,
      }),
    ],
  },
  client_secret_wrong: {
    title: 'The client_secret of {client} is wrong',
    why: refused => findingOf(refused)?.why ?? 'The sent secret is not the registered one.',
    fix: 'Compare the secret your app sends with the one in clients.config.ts or the environment. A line break at the end of an environment variable counts.',
    rfc: 'RFC 6749 §2.3.1',
    reported: 'A client secret was wrong',
    compare: compareSecret,
    references: ['RFC 6749 §5.2'],
  },
  client_must_be_confidential: {
    title: '{client} is a public client, and this grant needs a secret or a key',
    why: 'The client starts a sign-in on the device of a user, so it must authenticate. Otherwise anybody could ask users for approvals.',
    fix: 'Give the client a secret or a key. A public client cannot use this grant.',
    rfc: 'OIDC CIBA §4',
  },
} as const satisfies ReasonEntries;

function allIds({ known }: Case): readonly string[] {
  return [...known.registered()].filter(({ origin }) => origin === 'configuration').map(({ client_id }) => client_id);
}

function nearestIds(refused: Case): readonly string[] {
  return nearestNames(refused.error.sent ?? '', allIds(refused));
}

/** Proposes to correct a misspelt client_id. To register it as it is, is the second choice. */
function createOrCorrect(refused: Case): readonly ProposedFix[] {
  const meant = misspelt(refused.error.sent ?? '', allIds(refused));
  if (meant !== undefined) {
    const others = createClient(refused).map(fix => secondary(fix));
    return [
      advice(`Correct the spelling. \`${shown(meant, 80)}\` is registered.`, inApp(clientIdLine(meant))),
      ...others,
    ];
  }
  const [near] = nearestIds(refused);
  const use = near === undefined ? [] : [advice('Or use the closest match.', inApp(clientIdLine(near)))];
  return [...createClient(refused), ...use];
}

function clientIdLine(id: string): string {
  return `client_id: ${literal(id)}`;
}

function createClient(refused: Case): readonly ProposedFix[] {
  const { parameters, error } = refused;
  const client_id = parameters.get('client_id') ?? error.sent ?? '';
  const isSecret = !client_id.startsWith((error.sent ?? client_id).replace(/\.\.\. \(.*$/, ''));
  if (client_id === '' || client_id.length > 200 || isSecret || /^https?:/i.test(client_id)) return [];
  const members = { client_id, ...membersOf(refused, client_id) };
  const isInvented = members.client_secret === inventedSecret(client_id);
  const note = isInvented ? ` The request has no secret, so the client gets \`${members.client_secret}\`.` : '';
  const thenContinue = openAgain(refused) !== undefined;
  const label = `Create the client ${shown(client_id, 60)}${thenContinue ? ' and continue the sign-in' : ''}`;
  const { client_secret, ...visible } = members;
  const secret = client_secret === undefined ? {} : { client_secret: isInvented ? client_secret : '…' };
  const code = `clients: [${literal({ ...visible, ...secret })}]`;
  return [
    {
      text: `${label}, from the parameters of this request.${note}`,
      apply: { label, change: { kind: 'client.create', members }, thenContinue },
      snippets: [{ where: 'clients.config.ts', code }],
    },
  ];
}

interface Members {
  readonly client_secret?: string;
  readonly loopback_redirects?: true;
  readonly grant_types: readonly string[];
  readonly redirect_uris?: readonly string[];
  readonly scope?: string;
}

/** A secret for a client that needs one and sent none. It is named where it is proposed. */
function inventedSecret(client_id: string): string {
  return `${client_id}-secret`;
}

function membersOf({ parameters, error, request }: Case, client_id: string): Members {
  const scope = parameters.get('scope');
  const uri = parameters.get('redirect_uri');
  const isLogin = error.endpoint === 'authorize' || error.endpoint === 'par';
  const grant = isLogin ? 'authorization_code' : (parameters.get('grant_type') ?? 'authorization_code');
  const posted = parameters.get('client_secret') || undefined;
  const sent = posted ?? (request === undefined ? undefined : basicOf(request)?.secret);
  const secret = sent || (grant === 'client_credentials' ? inventedSecret(client_id) : undefined);
  return {
    grant_types: grant === 'authorization_code' ? [grant, 'refresh_token'] : [grant],
    ...(uri === undefined ? {} : { redirect_uris: [uri] }),
    // a client that signs users in needs an address
    ...(uri === undefined && grant === 'authorization_code' ? { loopback_redirects: true as const } : {}),
    scope,
    client_secret: secret,
  };
}

function methodsOf({ client }: Case): readonly string[] {
  return client?.token_endpoint_auth_methods ?? [];
}

function compareMethods(refused: Case) {
  const { error, who } = refused;
  const registered = methodsOf(refused);
  const about = `registered for ${who}`;
  return compareWords(error.sent ?? 'none', registered.length === 0 ? (error.expected ?? '') : registered, { about });
}

function allowMethod(refused: Case): readonly ProposedFix[] {
  const sent = refused.error.sent?.split(' ')[0] ?? '';
  const registered = methodsOf(refused);
  if (!sent.startsWith('client_secret_') || registered.includes(sent) || refused.client?.client_secret === undefined)
    return [];
  // an entry may have only one of the two members
  const methods = { token_endpoint_auth_method: null, token_endpoint_auth_methods: [...registered, sent] };
  return [patchClient(refused, `Allow ${sent} for ${refused.who}`, methods)];
}

const proofs: Readonly<Record<string, readonly string[]>> = {
  client_secret_basic: ['--user "$CLIENT_ID:$CLIENT_SECRET"'],
  client_secret_post: ['--data-urlencode "client_id=$CLIENT_ID"', '--data-urlencode "client_secret=$CLIENT_SECRET"'],
};

/** Proposes the same request with the registered authentication method. */
function authenticated(refused: Case, method: string): ProposedFix {
  const text = `Or let the app authenticate with ${method}.`;
  const options = proofs[method];
  if (options === undefined) return advice(text, inApp(`token_endpoint_auth_method: '${method}'`));
  const form = [...refused.parameters].filter(([name]) => name !== 'client_id' && name !== 'client_secret');
  const url = endpointUrl(refused, refused.error.endpoint);
  return advice(text, inApp(`token_endpoint_auth_method: '${method}'`), curlForm(url, form, options));
}

interface Finding {
  readonly sent: string;
  readonly why: string;
}

function compareSecret(refused: Case) {
  const registered = refused.client?.client_secret;
  const length = registered === undefined ? '' : `, ${characters(registered)}`;
  const about = `registered for ${refused.who}`;
  const sent = findingOf(refused)?.sent ?? refused.error.sent ?? '';
  return compareWords(sent, `the registered secret${length}`, { about });
}

function findingOf(refused: Case): Finding | undefined {
  const registered = refused.client?.client_secret;
  const sent = sentSecret(refused);
  if (registered === undefined || sent === undefined) return undefined;
  for (const check of checks) {
    const finding = check(sent, registered, refused);
    if (finding !== undefined) return finding;
  }
  return { sent: characters(sent), why: differentWords(sent, registered) };
}

type Check = (sent: string, registered: string, refused: Case) => Finding | undefined;

/** The usual ways to damage a secret, the most certain first. */
const checks: readonly Check[] = [
  (sent, registered) => {
    if (sent.trim() !== registered) return undefined;
    const where = [/^\s/.test(sent) ? 'before' : '', /\s$/.test(sent) ? 'after' : '']
      .filter(each => each !== '')
      .join(' and ');
    const what = /[\r\n]/.test(sent) ? 'a line break' : 'white space';
    return found(
      sent,
      `with ${what} ${where} it`,
      `The sent secret has ${what} ${where} it. Look for a file or variable that ends in a line break, or a copied space.`,
    );
  },
  (sent, registered) =>
    /^(["']).*\1$/.test(sent) && sent.slice(1, -1) === registered
      ? found(sent, 'in quotes', 'The sent secret has quotes around it. Some .env readers and docker keep them.')
      : undefined,
  (sent, registered) =>
    percentDecoded(sent) === registered || percentDecoded(percentDecoded(sent)) === registered
      ? found(
          sent,
          'percent-encoded twice',
          'The secret was percent-encoded twice. For HTTP Basic, form-encode it exactly once (RFC 6749 §2.3.1). In a form, let the form encode it.',
        )
      : undefined,
  (sent, registered) =>
    sent.length < registered.length && registered.startsWith(sent)
      ? found(
          sent,
          'the beginning of the registered one',
          `The secret was cut after ${sent.length} characters${cutAt(registered[sent.length])}.`,
        )
      : undefined,
  (sent, registered) =>
    sent.toLowerCase() === registered.toLowerCase()
      ? found(sent, 'with different upper and lower case', 'The secret differs only in upper and lower case.')
      : undefined,
  (sent, _, { known, client }) => {
    const owner = [...known.registered()].find(
      each => each.client_secret === sent && each.client_id !== client?.client_id,
    );
    return owner === undefined
      ? undefined
      : found(
          sent,
          `the secret of ${owner.client_id}`,
          `This is the secret of \`${owner.client_id}\`. client_id and client_secret belong to two different clients.`,
        );
  },
  sent =>
    ['undefined', 'null', ''].includes(sent) || /^\$\{?\w+\}?$/.test(sent)
      ? found(sent, 'a placeholder instead of a secret', 'The app sent a placeholder because its variable is not set.')
      : undefined,
];

function found(sent: string, what: string, why: string): Finding {
  return { sent: `${characters(sent)}, ${what}`, why };
}

function cutAt(next: string | undefined): string {
  return next !== undefined && /[#$&+;:%!`\\ ]/.test(next)
    ? ', before a character that is special in shells, .env files or forms'
    : '';
}

function differentWords(sent: string, registered: string): string {
  const lengths = sent.length === registered.length ? 'Both have the same length.' : 'The lengths differ.';
  return `The sent secret is not the registered one. ${lengths} Is it the secret of a different environment, or an old one?`;
}

function characters({ length }: string): string {
  return length === 1 ? '1 character' : `${length} characters`;
}

function sentSecret(refused: Case): string | undefined {
  if (sentHeader(refused, 'authorization') === undefined) return refused.parameters.get('client_secret');
  const basic = refused.request === undefined ? undefined : basicOf(refused.request)?.secret;
  return basic === undefined ? undefined : percentDecoded(basic.replaceAll('+', ' '));
}
