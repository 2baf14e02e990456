import { decodeJwt } from '../../base/text/jwt.ts';
import { isRecord, recordIn } from '../../base/text/record.ts';
import { controlRefusal, jsonPost, printable } from '../../client/cli/ask.ts';
import {
  asJsonText,
  type Command,
  CommandFailure,
  type Given,
  isOn,
  type Outcome,
  textOf,
  type World,
} from '../../client/cli/command.ts';
import { type Connection, connectIssuer, discover } from '../../client/cli/connection.ts';
import type { MintRequest } from '../../sandbox/control/mint-request.ts';
import { answersOf, apiIn, cooldown, sandboxFlags, sandboxGiven, withSandboxFlag } from './call-api.ts';
import {
  type AnswerFinding,
  type ApiCase,
  type ApiValues,
  apiCases,
  factsOf,
  findingIn,
  variantsFor,
} from './cases.ts';

/** `grantbox check-api`. */
export const command: Command = {
  usage: '--url <url> [--audience <aud>] [--scope <scope>] [--sandbox <url>]',
  about: [
    'Calls your own API with good and with bad tokens of a running sandbox, and says which responses are wrong, and the line of the API to mend. The API must answer to GET, and must trust the issuer of the sandbox.',
    'If the API refuses the good token, the command looks for the reason: whether it fetched the keys, and which typ or aud it accepts.',
    'Exit code 0: the API accepts the good token and refuses the others, even if a refusal has not the form that clients expect. 1: a response is wrong. 2: the API or the sandbox did not answer.',
  ],
  flags: [
    { name: 'url', value: '<url>', about: 'Address of your API, which answers to GET' },
    {
      name: 'audience',
      value: '<aud>',
      about: 'The aud that your API expects',
      fallback: 'as the client is registered',
    },
    {
      name: 'scope',
      value: '<scope>',
      about: 'The scope that your API asks for; a token without it must be answered with 403',
      fallback: 'all scopes of the client, and no such call',
    },
    {
      name: 'client',
      value: '<client_id>',
      about: 'Client that the tokens are for',
      fallback: 'the first one that has users',
    },
    { name: 'user', value: '<user>', about: 'User of the tokens', fallback: 'the first one' },
    {
      name: 'rotate',
      about: 'Rotate the keys of the sandbox at the end: the API must fetch the new ones within 31 seconds',
    },
    ...sandboxFlags('the address that HOST, PORT and TLS say, or http://localhost:9000'),
    { name: 'json', about: 'Print the rows as JSON' },
  ],
  examples: [
    ['grantbox check-api --url http://localhost:8080/bikes', 'is your API careful?'],
    [
      'grantbox check-api --url http://localhost:8080/bikes --audience my-api --scope bikes:read --json',
      'with its audience and its scope, for a pipeline',
    ],
  ],
  async run(given, world) {
    const api = apiIn(given);
    try {
      const issuer = await apiIssuer(sandboxGiven(given), world);
      const rows = await checkedRows(given, world, issuer, api);
      const reason = rows.some(({ case: name, kind }) => name === 'good' && kind !== undefined)
        ? await whyRefused(given, issuer, api)
        : '';
      return outcome(rows, issuer.wanted, { api, reason, isJson: isOn(given, 'json') });
    } catch (error) {
      throw withSandboxFlag(error);
    }
  },
};

interface Row extends Partial<AnswerFinding> {
  readonly case: ApiCase;
  readonly title: string;
  readonly proves: string;
  readonly status: number;
  readonly challenge?: string;
  readonly mend?: string;
}

async function checkedRows(given: Given, { timing }: World, issuer: ApiIssuer, api: URL): Promise<readonly Row[]> {
  const hasScope = textOf(given, 'scope') !== undefined;
  const names = apiCases.filter(name => name !== 'rotated' && (name !== 'scope' || hasScope));
  const ask = async (asked: readonly ApiCase[]) => {
    const calls = await Promise.all(asked.map(async name => ({ case: name, headers: await issuer.headersOf(name) })));
    const answers = await answersOf(api, calls, { isInsecure: isOn(given, 'insecure') });
    return answers.map(answer => rowOf(answer, issuer.wanted));
  };
  const rows = await ask(names);
  if (!isOn(given, 'rotate')) return rows;
  await issuer.rotate();
  const [first] = await ask(['rotated']);
  if (first?.kind === undefined) return first === undefined ? rows : [...rows, first];
  await (timing ?? { sleep: (ms: number) => new Promise(resolve => setTimeout(resolve, ms)) }).sleep(cooldown);
  return [...rows, ...(await ask(['rotated']))];
}

function rowOf(answer: Pick<Row, 'case' | 'status' | 'challenge'>, wanted: ApiValues): Row {
  const { title, proves, mend } = factsOf(answer.case);
  const finding = findingIn(answer);
  const line = finding === undefined || finding.kind === 'form' ? undefined : mend?.(wanted);
  return { ...answer, title, proves, ...finding, ...(line === undefined ? {} : { mend: line }) };
}

async function whyRefused(given: Given, issuer: ApiIssuer, api: URL): Promise<string> {
  const { wanted } = issuer;
  if (!(await issuer.gaveKeys()))
    return `Nobody has fetched the keys at ${wanted.jwksUri}, so the API cannot know them. Give it the issuer ${wanted.issuer}, and check that this address can be reached from where the API runs.`;
  for (const { token, reason } of variantsFor(api, issuer.client, wanted.audience)) {
    const headers = await issuer.bearer(token);
    const [answer] = await answersOf(api, [{ case: 'good' as const, headers }], {
      isInsecure: isOn(given, 'insecure'),
    });
    if (answer !== undefined && findingIn(answer) === undefined) return reason;
  }
  return 'The API knows the keys, and accepts no other typ or aud that was tried. Read what its log says about the token, and compare it with the values above.';
}

interface Shown {
  readonly api: URL;
  readonly reason: string;
  readonly isJson: boolean;
}

function outcome(rows: readonly Row[], wanted: ApiValues, { api, reason, isJson }: Shown): Outcome {
  const wrong = rows.filter(({ kind }) => kind !== undefined && kind !== 'form').length;
  const code = wrong === 0 ? 0 : 1;
  const note = wrong === 0 ? '' : `grantbox check-api: ${wrong} of ${rows.length} responses are wrong\n`;
  const facts = { api: api.href, ...wanted, ...(reason === '' ? {} : { reason }), rows };
  if (isJson) return { code, out: `${asJsonText(facts)}\n`, note };
  const head = `${api} with tokens of ${wanted.issuer} for the audience ${wanted.audience}`;
  const why =
    reason === ''
      ? []
      : ['', `Why the good token is refused: ${reason}`, 'As long as it is, the other refusals prove nothing.'];
  return { code, out: `${[head, '', ...rows.flatMap(rowLines), ...why].join('\n')}\n`, note };
}

function rowLines({ title, status, challenge = '', kind, problem, mend }: Row): readonly string[] {
  const verdict = kind === undefined ? 'ok  ' : kind === 'form' ? 'note' : 'FAIL';
  const first = `${verdict}  ${status}  ${title}`;
  if (problem === undefined) return [first];
  const said = challenge === '' ? [] : [`WWW-Authenticate: ${printable(challenge)}`];
  return [first, ...[problem, ...said, ...(mend === undefined ? [] : [mend])].map(line => `           ${line}`)];
}

type Headers = Readonly<Record<string, string>>;

/** On all that this command sends: the report leaves out such a request, and what comes of a token that was made for it. */
const ofTool: Headers = { 'Grantbox-Tool': 'check-api' };
const withToken = (token: string): Headers => ({ ...ofTool, Authorization: `Bearer ${token}` });

/** An issuer that makes tokens for the check of an API. */
export interface ApiIssuer {
  readonly wanted: ApiValues;
  readonly client: string;
  /** The headers of the call of a case. */
  headersOf(name: ApiCase): Promise<Headers>;
  /** The header with a token like the good one, and what is different in it. */
  bearer(different: Partial<MintRequest>): Promise<Headers>;
  rotate(): Promise<void>;
  /** True if somebody has fetched the keys, as far as the history goes back. */
  gaveKeys(): Promise<boolean>;
}

/**
 * Connects to the sandbox and makes a first token, from which the values are known that an API compares.
 * @throws CommandFailure if the sandbox does not answer or the control API refuses
 */
async function apiIssuer(given: Given, world: World): Promise<ApiIssuer> {
  const connection = await connectIssuer(given, world);
  const { issuer, members } = await discover(connection);
  const client = textOf(given, 'client') ?? (await firstOf(connection, 'clients', hasUsers));
  const user = textOf(given, 'user') ?? (await firstOf(connection, 'users', () => true));
  const [audience, scope] = [textOf(given, 'audience'), textOf(given, 'scope')];
  const good = { client, user, audience, scope };
  const mint = async (different: Partial<MintRequest> = {}) => {
    const { audience: _, ...withoutAudience } = good;
    return minted(connection, { ...(different.type === 'id' ? withoutAudience : good), ...different });
  };
  const bearer = async (different?: Partial<MintRequest>) => withToken(await mint(different));
  const { header, claims } = decodeJwt(await mint()) ?? {};
  if (claims === undefined || header === undefined)
    throw new CommandFailure(
      `the access tokens of ${client} are opaque, so an API cannot read them`,
      1,
      'Name a client with access_token_format: jwt by --client.',
    );
  const aud = Array.isArray(claims.aud) ? claims.aud[0] : claims.aud;
  return {
    wanted: {
      issuer,
      jwksUri: String(members.jwks_uri),
      audience: String(aud),
      alg: String(header.alg),
      scope: scope ?? '',
    },
    client,
    async headersOf(name) {
      const { token } = factsOf(name);
      if (token === null) return ofTool;
      return typeof token === 'string' ? withToken(token) : bearer(token);
    },
    bearer,
    rotate: async () => void (await call(connection, '/keys/rotate', {})),
    async gaveKeys() {
      const { events } = await call(connection, '/events?type=request.completed&limit=1000');
      return Array.isArray(events) && events.some(event => isRecord(event) && event.endpoint === 'jwks');
    },
  };
}

/** Calls the control API: a POST if there is a body. A key may have to be made first. */
async function call({ ask, base, controlHeaders }: Connection, path: string, body?: unknown) {
  const headers = { ...controlHeaders, ...ofTool };
  const asking = body === undefined ? { headers } : jsonPost(body, headers);
  const answered = await ask(`/_sandbox${path}`, { ...asking, timeoutSeconds: 30 });
  if (answered.status < 200 || answered.status > 299) throw controlRefusal(`${base}/_sandbox${path}`, answered);
  return recordIn(answered.text) ?? {};
}

async function minted(connection: Connection, request: MintRequest): Promise<string> {
  const { token } = await call(connection, '/tokens', request);
  return String(token);
}

async function firstOf(
  connection: Connection,
  kind: 'clients' | 'users',
  fits: (entry: Readonly<Record<string, unknown>>) => boolean,
): Promise<string> {
  const { [kind]: listed } = await call(connection, `/${kind}`);
  const rows = Array.isArray(listed) ? listed.filter(isRecord) : [];
  const found = rows.find(({ entry }) => isRecord(entry) && fits(entry)) ?? rows[0];
  const id = found?.[kind === 'clients' ? 'client_id' : 'sub'];
  if (typeof id === 'string') return id;
  throw new CommandFailure(`the sandbox has no ${kind}`, 1, `Name one by --${kind.slice(0, -1)}.`);
}

/** Access tokens of a client with users are of the kind that an API usually gets. */
function hasUsers({ grant_types, access_token_format }: Readonly<Record<string, unknown>>): boolean {
  const isLogin =
    grant_types === undefined || (Array.isArray(grant_types) && grant_types.includes('authorization_code'));
  return isLogin && access_token_format !== 'opaque';
}
