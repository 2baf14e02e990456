import { randomBytes } from 'node:crypto';
import { isRecord } from '../../../base/text/record.ts';
import type { RuledKind, TokenRule } from '../../../protocol/token-rule.ts';
import { type Answer, jsonAnswer } from '../../../server/http/answer.ts';
import { call, inputInvalid, json, type ManagementCall } from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { listAnswer } from './answers.ts';
import { addressOf, missingEntry, type Org, oktaId } from './org.ts';
import { claimOf } from './profile.ts';
import { requireServer } from './servers.ts';

const read = ['okta.authorizationServers.read'];
const manage = ['okta.authorizationServers.manage'];
const at = '/authorizationServers/{server}/claims';

/** Claims that the authorization server adds to tokens. Each is a rule for claims of the sandbox. */
export const claimCalls: readonly ManagementCall<Org>[] = [
  call(`GET ${at}`, 'claims that were added here', read, (sent, org) => {
    requireServer(org, sent.names.server);
    return listAnswer(org, sent, [...org.state.claims.keys()], id => claimBody(org, id));
  }),
  call(`POST ${at}`, 'adds a claim by an expression such as `user.department`', manage, ({ body, names }, org) => {
    requireServer(org, names.server);
    const id = oktaId('ocl', randomBytes(16).toString('hex'));
    return save(org, id, body, 201);
  }),
  call(`GET ${at}/{claim}`, 'a claim', read, ({ names }, org) => {
    requireServer(org, names.server);
    return json(claimBody(org, claimWith(org, names.claim)));
  }),
  call(`PUT ${at}/{claim}`, 'replaces a claim', manage, ({ body, names }, org) => {
    requireServer(org, names.server);
    return save(org, claimWith(org, names.claim), body, 200);
  }),
  call(`DELETE ${at}/{claim}`, 'takes a claim away', manage, async ({ names }, org) => {
    requireServer(org, names.server);
    const id = claimWith(org, names.claim);
    const others = otherRules(org);
    org.state.claims.delete(id);
    await org.control.replaceTokenRules([...others, ...ownRules(org)], 'api');
  }),
];

function claimWith({ state }: Org, id = ''): string {
  return state.claims.has(id) ? id : missingEntry('OAuth2Claim', id);
}

function claimBody(org: Org, id: string) {
  const server = org.server.dialect?.options.server ?? '';
  const href = addressOf(org, 'authorizationServers', server, 'claims', id);
  return { id, ...org.state.claims.get(id), status: 'ACTIVE', system: false, _links: { self: { href } } };
}

async function save(org: Org, id: string, body: unknown, status: number): Promise<Answer> {
  const sent = membersIn(body, {
    name: 'text',
    claimType: 'text',
    valueType: 'text',
    value: 'text',
    status: 'text',
    conditions: 'record',
  });
  const { name = '', claimType = 'RESOURCE', valueType = 'EXPRESSION', value = '', conditions = {} } = sent;
  if (name === '') throw inputInvalid('name: The field cannot be left blank');
  if (claimType !== 'RESOURCE' && claimType !== 'IDENTITY') throw inputInvalid('claimType: RESOURCE or IDENTITY');
  if (valueType !== 'EXPRESSION')
    throw inputInvalid('valueType: Only EXPRESSION is evaluated; the scope groups brings the claim groups');
  if (sent.status === 'INACTIVE') throw inputInvalid('status: Delete a claim that should not be added');
  const entry = { name, claimType, valueType, value, conditions, alwaysIncludeInToken: true };
  const rule = ruleOf(entry);
  const others = otherRules(org);
  const ours = new Map(org.state.claims).set(id, entry);
  const rules = [...ours].map(([each, known]) => (each === id ? rule : ruleOf(known as typeof entry)));
  await org.control.replaceTokenRules([...others, ...rules], 'api');
  org.state.claims.set(id, entry);
  return jsonAnswer(status, claimBody(org, id));
}

interface ClaimEntry {
  readonly name: string;
  readonly claimType: string;
  readonly value: string;
  readonly conditions: Readonly<Record<string, unknown>>;
}

function ruleOf({ name, claimType, value, conditions }: ClaimEntry): TokenRule {
  const { scopes } = conditions;
  const isLimited = Array.isArray(scopes) && scopes.length > 0;
  const kinds: readonly RuledKind[] = claimType === 'RESOURCE' ? ['accessToken'] : ['idToken', 'userinfo'];
  return { for: kinds, ...(isLimited && { scope: scopes.map(String) }), claims: { [name]: templateOf(value) } };
}

/** An expression of Okta as a template: a member of the user or of the app, or a text in quotes. */
function templateOf(expression: string): string {
  const text = /^"([^"$]*)"$/.exec(expression.trim())?.[1];
  if (text !== undefined) return text;
  const [, of, member = ''] = /^(user|appuser|app)\.([A-Za-z_]\w*)$/.exec(expression.trim()) ?? [];
  if (of === 'app') return member === 'clientId' ? '${client.client_id}' : `\${client.${member}}`;
  if (of === undefined)
    throw inputInvalid('value: The sandbox evaluates user.<member>, app.clientId and a text in quotes, nothing else');
  if (member === 'id') return '${user.sub}';
  return member === 'login' ? '${user.username}' : `\${user.${claimOf[member] ?? member}}`;
}

/** The rules in effect that this API did not add. */
function otherRules(org: Org): readonly TokenRule[] {
  const own = new Set(ownRules(org).map(rule => JSON.stringify(rule)));
  return (org.control.tokenRules()?.templates ?? []).filter(rule => !own.has(JSON.stringify(rule)));
}

function ownRules({ state }: Org): readonly TokenRule[] {
  return [...state.claims.values()].filter(isRecord).map(entry => ruleOf(entry as unknown as ClaimEntry));
}
