import type { RegisteredClient } from '../../oauth/clients/client.ts';
import { webOriginsOf } from '../../oauth/clients/web-origins.ts';
import type { Case } from '../case.ts';
import { compareUrls } from '../compare.ts';
import type { ReasonEntry } from '../entry.ts';
import type { ProposedFix } from '../problem.ts';
import { advice, patchClient, setting } from '../remedies.ts';

const kept =
  'So the answer has no Access-Control-Allow-Origin, and the browser keeps it from the script. A call from a back end would have worked.';

/** A page whose origin no client and no setting names, and which is not of this machine. */
export const corsOriginRefused = {
  title: 'A page of {sent} may not read the answer',
  why: refused =>
    isRegistration(refused)
      ? `CORS_ORIGINS does not list this origin. Pages of other machines may not register clients, whatever redirect URIs there are. ${kept}`
      : `No redirect URI of a client has this origin, no client lists it in web_origins, and neither does CORS_ORIGINS. ${kept}`,
  fix: 'Add the origin of the page to web_origins of a client or to CORS_ORIGINS, as the browser sends it: scheme, host and port, without a path and without a slash at the end.',
  rfc: 'RFC 6454 §7',
  compare: ({ error }) =>
    compareUrls(error.sent ?? '', originsIn(error.expected), {
      sentLabel: 'Origin of the page',
      expectedLabel: 'Allowed',
    }),
  fixes: refused => [...clientFixes(refused), listInSetting(refused)],
  references: ['RFC 6454 §4'],
} as const satisfies ReasonEntry;

function isRegistration({ error: { endpoint } }: Case): boolean {
  return endpoint === 'registration' || endpoint === 'client_configuration';
}

function clientFixes(refused: Case): readonly ProposedFix[] {
  if (isRegistration(refused)) return [];
  const { sent = '' } = refused.error;
  const clients = [...refused.known.registered()];
  if (clients.some(client => webOriginsOf(client).includes(sent))) {
    return [advice('Pages of this origin may call now. Load the page again.')];
  }
  const client = clientToChange(refused, clients);
  if (client === undefined) return [];
  const web_origins = [...(client.web_origins ?? []), sent];
  return [patchClient({ ...refused, client }, `Add ${sent} to web_origins of ${client.client_id}`, { web_origins })];
}

/** A preflight names no client: then it is the configured one that asked for a login last, or the first. */
function clientToChange(
  { client, error, known: { events } }: Case,
  clients: readonly RegisteredClient[],
): RegisteredClient | undefined {
  const configured = clients.filter(({ origin }) => origin === 'configuration');
  const ids = [client?.client_id, events.latest('authorization.requested', 1, error.id)[0]?.client_id];
  return ids.map(id => configured.find(({ client_id }) => client_id === id)).find(Boolean) ?? configured[0];
}

function listInSetting({ error: { sent = '', expected }, known }: Case): ProposedFix {
  const ofClients = new Set([...known.registered()].flatMap(webOriginsOf));
  const listed = originsIn(expected).filter(origin => !ofClients.has(origin));
  return setting('Allow the origin everywhere', 'CORS_ORIGINS', [...listed, sent].join(','));
}

/** Those that are named one by one. */
function originsIn(expected = ''): readonly string[] {
  return expected.split(' or ').filter(each => /^(null$|[a-z][a-z0-9+.-]*:\/\/)/.test(each));
}
