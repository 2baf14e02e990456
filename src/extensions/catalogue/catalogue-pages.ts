import type { Router } from 'express';
import { clientPath } from '../../dashboard/clients-and-users.ts';
import { factsOf } from '../../dashboard/connect-pages.ts';
import type { PageContext } from '../../dashboard/page.ts';
import type { SnippetFacts } from '../../dashboard/snippets/snippet-facts.ts';
import { snippetOf } from '../../dashboard/snippets/snippets.ts';
import { entryText } from '../../sandbox/control/entry-text.ts';
import { demoKey, demoKeyFile, demoPrivateKey } from './demo-key.ts';
import { applicationKinds, type ReadyClient } from './ready-client.ts';
import { readyClients } from './ready-clients.ts';

/** The catalogue as an issuer has it. */
export interface IssuerCatalogue {
  /** Whether the issuer has its clients. */
  readonly isOn: () => boolean;
  /** The ids of clients that those of the user's configuration replace. */
  readonly replaced: () => readonly string[];
}

/** `/dashboard/catalogue`: clients to copy or to enable, and the private key for their commands. */
export function cataloguePages(router: Router, context: PageContext, here: IssuerCatalogue): void {
  router.get('/', async (_req, res) => {
    const model = await cataloguePage(context, here);
    await context.show(res, { template: 'catalogue', title: 'Catalogue of clients', nav: 'clients', model });
  });

  router.get('/:file', (req, res, next) => {
    if (req.params.file === demoKeyFile) res.type('application/x-pem-file').send(demoPrivateKey);
    else next();
  });
}

async function cataloguePage(context: PageContext, { isOn, replaced }: IssuerCatalogue) {
  const facts = factsOf(context, { client: undefined, areSecretsHidden: false });
  const known = new Set([...context.registered()].map(({ client_id }) => client_id));
  const own = new Set(replaced());
  const all = await Promise.all(readyClients.map(client => rowOf(context, facts, { known, own }, client)));
  return {
    isOn: isOn(),
    total: all.length,
    registered: all.filter(({ href, isOwn }) => href !== undefined && !isOwn).length,
    kinds: Object.entries(applicationKinds).map(([id, title]) => ({
      id,
      title,
      clients: all.filter(({ kind }) => kind === id),
    })),
    demoKey: { file: demoKeyFile, text: demoPrivateKey.trimEnd() },
  };
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

async function rowOf(
  { base, added }: PageContext,
  facts: SnippetFacts,
  { known, own }: Readonly<Record<'known' | 'own', ReadonlySet<string>>>,
  client: ReadyClient,
) {
  const { kind, title, use, read, settings, needs, command } = client;
  const { client_id } = settings;
  const isPlayed = added.some(({ path }) => path === '/playground') && played[command] !== undefined;
  return {
    ...{ id: client_id, kind, title, use, read, needs },
    isOwn: own.has(client_id),
    lines: entryText({ ...settings }),
    command: await commandOf(facts, client),
    // whether the client has a page
    href: known.has(client_id) ? base + clientPath(client_id) : undefined,
    play: isPlayed ? `${base}/playground/${played[command]}?client=${client_id}` : undefined,
  };
}

/** The command of a client, for the issuer in the facts; scripts/docs writes it, too. */
export async function commandOf(facts: SnippetFacts, { command, settings, values = {} }: ReadyClient): Promise<string> {
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
