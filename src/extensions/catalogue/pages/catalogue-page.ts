import { defined } from '../../../base/defined.ts';
import { clientPath } from '../../../dashboard/clients-and-users.ts';
import { factsOf } from '../../../dashboard/connect-pages.ts';
import type { Desk } from '../../../dashboard/desk.ts';
import type { SnippetFacts } from '../../../dashboard/snippets/snippet-facts.ts';
import { snippetOf } from '../../../dashboard/snippets/snippets.ts';
import type { ClientCatalogue } from '../catalogue.ts';
import type { IssuerCatalogue } from '../issuer-catalogue.ts';
import type { ReadyClient } from '../ready-client.ts';

/** The ready clients by kind of application, each with its settings and its command. */
export async function cataloguePage(desk: Desk, { read, isOn, replaced }: IssuerCatalogue) {
  const catalogue = await read();
  const facts = factsOf(desk, { client: undefined, areSecretsHidden: false });
  const known = new Set([...desk.registered()].map(({ client_id }) => client_id));
  const all = await Promise.all(
    catalogue.clients.map(client => rowOf(desk, { catalogue, facts, known, replaced }, client)),
  );
  return {
    isOn: isOn(),
    total: all.length,
    registered: all.filter(({ href, isOwn }) => href !== undefined && !isOwn).length,
    kinds: Object.entries(catalogue.kinds).map(([id, title]) => ({
      id,
      title,
      clients: all.filter(({ kind }) => kind === id),
    })),
    demoKey: { file: catalogue.demoKeyFile, text: catalogue.demoPrivateKey.trimEnd() },
  };
}

interface Sources {
  readonly catalogue: ClientCatalogue;
  readonly facts: SnippetFacts;
  readonly known: ReadonlySet<string>;
  readonly replaced: IssuerCatalogue['replaced'];
}

/** The page of the playground that does the same as a command. */
const played: Readonly<Record<string, string>> = {
  'ready-code': 'code',
  'ready-refresh': 'refresh',
  'ready-mcp': 'code',
  'ready-dpop': 'dpop',
  'ready-consent': 'code',
  'ready-par': 'par',
  'ready-jar': 'code',
  'ready-jarm': 'code',
  'ready-fapi': 'par',
  'ready-logout': 'logout',
  'ready-service': 'client-credentials',
  'ready-certificate': 'client-credentials',
  'ready-introspection': 'introspection',
  'ready-exchange': 'exchange',
  'ready-device': 'device',
  'ready-ciba': 'ciba',
};

async function rowOf(desk: Desk, sources: Sources, client: ReadyClient) {
  const { base } = desk;
  const { kind, title, use, read, settings, needs, command } = client;
  const { client_id } = settings;
  return {
    id: client_id,
    kind,
    title,
    use,
    read,
    isOwn: sources.replaced().includes(client_id),
    lines: sources.catalogue.linesOf(settings),
    command: await commandOf(sources, client),
    // whether the client has a page
    ...defined({ needs, href: sources.known.has(client_id) ? base + clientPath(client_id) : undefined }),
    ...(desk.added.some(({ path }) => path === '/playground') && played[command] !== undefined
      ? { play: `${base}/playground/${played[command]}?client=${client_id}` }
      : {}),
  };
}

/** The command of a client, for the issuer in the facts; scripts/docs writes it, too. */
export async function commandOf(
  { catalogue: { demoKey }, facts }: Pick<Sources, 'catalogue' | 'facts'>,
  { command, settings, values = {} }: ReadyClient,
): Promise<string> {
  const own = { entry: { ...settings }, values: { ...values }, demoKey };
  const isByCertificate = settings.token_endpoint_auth_method?.endsWith('tls_client_auth') === true;
  const { code } = await snippetOf(command, isByCertificate ? withHttps(facts) : facts, own);
  return code.trimEnd();
}

/** The facts of this sandbox with HTTPS, because a client certificate needs TLS. */
function withHttps(facts: SnippetFacts): SnippetFacts {
  if (facts.issuer.startsWith('https:')) return facts;
  const secure = (url: string) => url.replace(/^http:/, 'https:');
  const at = { ...facts.at, token: secure(facts.at.token) };
  return { ...facts, issuer: secure(facts.issuer), at, hasOwnCa: true };
}
