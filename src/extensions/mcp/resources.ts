import type { ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import { entries } from '../../record/problems/reasons/index.ts';
import { maskedEntry } from './masked.ts';
import type { SandboxCalls } from './sandbox-calls.ts';
import { listIn } from './tools/members.ts';

interface ResourceRow extends Resource {
  read(sandbox: SandboxCalls): Promise<string | undefined>;
}

const rows: readonly ResourceRow[] = [
  {
    uri: 'grantbox://configuration',
    name: 'configuration',
    title: 'Configuration in effect',
    description: 'Clients, users, scopes and settings as they are now, without secrets',
    mimeType: 'application/json',
    read: configuration,
  },
  {
    uri: 'grantbox://metadata',
    name: 'metadata',
    title: 'Metadata of the issuer',
    description: 'The discovery document',
    mimeType: 'application/json',
    read: sandbox => sandbox.text('/.well-known/openid-configuration'),
  },
  {
    uri: 'grantbox://reasons',
    name: 'reasons',
    title: 'Reasons for refusals',
    description: 'Every reason for which a request is refused, with its fix and the section of the standard',
    mimeType: 'text/markdown',
    read: async () => reasons(),
  },
  {
    uri: 'grantbox://session',
    name: 'session',
    title: 'Recorded session',
    description: 'All flows of the history as sequences, without secrets',
    mimeType: 'text/markdown',
    read: sandbox => sandbox.text('/dashboard/export/markdown'),
  },
  {
    uri: 'grantbox://control-api',
    name: 'control-api',
    title: 'Control API',
    description: 'OpenAPI document of the API that these tools use',
    mimeType: 'application/json',
    read: async sandbox => JSON.stringify(await sandbox.ask({ path: '/openapi.json' })),
  },
];

/** Fixed resources. */
export const resources: readonly Resource[] = rows.map(({ read: _, ...row }) => row);

interface TemplateRow extends ResourceTemplate {
  readonly form: RegExp;
  path(id: string): string;
}

const templates: readonly TemplateRow[] = [
  {
    uriTemplate: 'grantbox://problems/{id}',
    name: 'problem',
    title: 'An explained problem',
    description: 'A problem (`prb_…`) or a refused request (`req_…`), for a bug report',
    mimeType: 'text/markdown',
    form: /^grantbox:\/\/problems\/([\w-]+)$/,
    path: id => `/dashboard/problems/${id}.md`,
  },
  {
    uriTemplate: 'grantbox://flows/{id}',
    name: 'flow',
    title: 'A flow',
    description: 'A flow (`flow_…`) as a sequence, without secrets',
    mimeType: 'text/markdown',
    form: /^grantbox:\/\/flows\/([\w-]+)$/,
    path: id => `/dashboard/flows/${id}/export/markdown`,
  },
];

/** Resources with an id in their address. */
export const resourceTemplates: readonly ResourceTemplate[] = templates.map(({ form: _, path: __, ...row }) => row);

/** @throws Error if there is no such resource */
export async function readResource(
  uri: string,
  sandbox: SandboxCalls,
): Promise<ReadResourceResult['contents'][number]> {
  const row = rows.find(each => each.uri === uri);
  const template = templates.find(({ form }) => form.test(uri));
  const id = template?.form.exec(uri)?.[1] ?? '';
  const text = template === undefined ? await row?.read(sandbox) : await sandbox.text(template.path(id));
  const { mimeType } = row ?? template ?? {};
  if (text !== undefined) return { uri, mimeType, text };
  const known = [...rows.map(each => each.uri), ...templates.map(each => each.uriTemplate)].join(', ');
  const isKnown = mimeType !== undefined;
  throw new Error(
    isKnown
      ? `the sandbox has nothing at ${uri}; is the dashboard off?`
      : `${uri} is not a resource: expected one of ${known}`,
  );
}

async function configuration(sandbox: SandboxCalls): Promise<string> {
  const kinds = ['clients', 'users', 'scopes', 'resources', 'settings'];
  const read = kinds.map(async kind => {
    const list = listIn(await sandbox.ask({ path: `/${kind}` }), kind);
    return [kind, kind === 'settings' ? list : list.map(({ entry }) => maskedEntry(entry))] as const;
  });
  return JSON.stringify(Object.fromEntries(await Promise.all(read)), undefined, 2);
}

/** One row for each reason. */
function reasons(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const lines = Object.entries(entries).map(([name, { fix, rfc }]) => `| \`${name}\` | ${cell(fix)} | ${rfc} |`);
  return ['| reason | fix | standard |', '| --- | --- | --- |', ...lines].join('\n');
}
