import type { ApiFacts, ConnectFacts, SnippetClient } from './facts.ts';
import { quoted, sh } from './literals.ts';
import type { Snippet } from './snippet.ts';

/** Without an application: a command line, a script, the environment of a framework. */
export function terminal(facts: ConnectFacts): readonly Snippet[] {
  const { machine } = facts;
  return [...(machine === undefined ? [] : [curl(facts, machine), requests(facts, machine)]), environment(facts)];
}

function curl({ at, hasOwnCa, machineApi }: ConnectFacts, client: SnippetClient): Snippet {
  const secret = client.client_secret ?? '';
  const form = (name: string, value: string) => `  -d ${sh(`${name}=${encodeURIComponent(value)}`)}`;
  const who =
    client.method === 'client_secret_post'
      ? [form('client_id', client.client_id), form('client_secret', secret)]
      : [`  -u ${sh(`${client.client_id}:${secret}`)}`];
  const scope = machineApi?.scope ?? client.scope;
  const ask = [
    `curl -sS${hasOwnCa ? 'k' : ''} ${sh(at.token)}`,
    ...who,
    '  -d grant_type=client_credentials',
    form('scope', scope),
  ];
  return {
    id: 'curl',
    family: 'terminal',
    title: 'curl',
    where: 'terminal',
    language: 'sh',
    code: `ACCESS_TOKEN=$(${ask.join(' \\\n')} |
  sed -E 's/.*"access_token":"([^"]+)".*/\\1/')
${machineApi === undefined ? 'echo "$ACCESS_TOKEN"' : callOf(machineApi, hasOwnCa)}
`,
    note: `A token without a user, by client credentials of ${client.client_id}.`,
  };
}

function callOf({ url, method, body }: ApiFacts, hasOwnCa: boolean): string {
  const lines = [`curl -i${hasOwnCa ? 'k' : ''} ${sh(url)}`, '  -H "Authorization: Bearer $ACCESS_TOKEN"'];
  if (method === 'POST') lines.push(`  -H 'Content-Type: application/json'`, `  -d ${sh(body)}`);
  return lines.join(' \\\n');
}

function requests({ at, machineApi }: ConnectFacts, client: SnippetClient): Snippet {
  const secret = client.client_secret ?? '';
  const isPost = client.method === 'client_secret_post';
  const pairs = [
    ['grant_type', 'client_credentials'],
    ['scope', machineApi?.scope ?? client.scope],
    ...(isPost
      ? [
          ['client_id', client.client_id],
          ['client_secret', secret],
        ]
      : []),
  ];
  const auth = isPost ? '' : `\n    auth=(${quoted(client.client_id)}, ${quoted(secret)}),`;
  return {
    id: 'python',
    family: 'terminal',
    title: 'Python, requests',
    where: 'call.py',
    language: 'python',
    code: `import requests

answer = requests.post(
    ${quoted(at.token)},${auth}
    data={${pairs.map(([name = '', value = '']) => `${quoted(name)}: ${quoted(value)}`).join(', ')}},
    timeout=5,
)
answer.raise_for_status()
access_token = answer.json()["access_token"]
${machineApi === undefined ? 'print(access_token)' : pythonCall(machineApi)}
`,
    note: '',
  };
}

function pythonCall({ url, method, body }: ApiFacts): string {
  const json = method === 'POST' ? `\n    data=${quoted(body)},` : '';
  const type = method === 'POST' ? ', "Content-Type": "application/json"' : '';
  return `
answer = requests.${method.toLowerCase()}(
    ${quoted(url)},
    headers={"Authorization": f"Bearer {access_token}"${type}},${json}
    timeout=5,
)
print(answer.status_code, answer.text)`;
}

function environment({ issuer, at, spa, web, machine }: ConnectFacts): Snippet {
  const login = web ?? spa;
  const lines = [
    ['OIDC_ISSUER', issuer],
    ['OIDC_DISCOVERY_URL', at.discovery],
    ['OIDC_JWKS_URI', at.jwks],
    ['OIDC_CLIENT_ID', login?.client_id],
    ['OIDC_CLIENT_SECRET', login?.client_secret],
    ['OIDC_REDIRECT_URI', login?.redirectUri],
    ['OIDC_SCOPE', login?.scope],
    ['OIDC_AUDIENCE', login?.audience],
    ['MACHINE_CLIENT_ID', machine?.client_id],
    ['MACHINE_CLIENT_SECRET', machine?.client_secret],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${sh(value)}`]));
  return {
    id: 'env',
    family: 'terminal',
    title: 'Environment variables',
    where: '.env',
    language: 'sh',
    code: `${lines.join('\n')}\n`,
    note: 'For a framework that reads its provider from the environment; the names are yours to change.',
  };
}
