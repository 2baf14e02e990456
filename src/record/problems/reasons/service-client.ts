import { isPublic } from '../../../protocol/clients/client.ts';
import { type Case, shown } from '../case.ts';
import type { ProposedFix } from '../problem.ts';
import { advice } from '../remedies.ts';
import { curlForm, endpointUrl, inApp, literal } from '../source-text.ts';

/** Grants that a public client may not have (RFC 6749 §4.4, OIDC CIBA §4). */
const confidentialOnly: ReadonlySet<string> = new Set(['client_credentials', 'urn:openid:params:grant-type:ciba']);

/** Tells whether the client has no secret or key, and the grant needs one. */
export function needsSecret({ client }: Case, grant: string): boolean {
  return client !== undefined && isPublic(client) && confidentialOnly.has(grant);
}

/** Proposes a second client, with a secret, for what a public client may not do. The page or app keeps its own. */
export function serviceClient(refused: Case, grant: string): readonly ProposedFix[] {
  const { client, known, parameters } = refused;
  if (client === undefined || client.client_id.length > 100) return [];
  const client_id = `${client.client_id}-service`;
  const use = 'and use it in the back end, where nobody else can read the secret';
  const existing = [...known.registered()].find(each => each.client_id === client_id);
  if (existing !== undefined) {
    return [
      advice(`Use the client \`${shown(client_id, 80)}\` in the back end.`, inApp(`client_id: ${literal(client_id)}`)),
    ];
  }
  const scope = parameters.get('scope');
  const members = {
    client_id,
    client_secret: `${client_id}-secret`,
    grant_types: [grant],
    scope,
  };
  const label = `Create the client ${shown(client_id, 80)} with a secret`;
  const { error } = refused;
  const form = [...parameters].filter(([name]) => name !== 'client_id' && name !== 'client_secret');
  const basic = `--user '${client_id}:${members.client_secret}'`;
  return [
    {
      text: `${label}, ${use}.`,
      apply: { label, change: { kind: 'client.create', members }, thenContinue: false },
      snippets: [
        curlForm(endpointUrl(refused, error.endpoint), form, [basic]),
        { where: 'clients.config.ts', code: `clients: [${literal(members)}]` },
      ],
    },
  ];
}
