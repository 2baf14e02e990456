import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, table, valuesOf } from './table.mjs';

/** The comments above the members of each kind of entry: an editor shows them, too. */
const described = {
  clients: ['src/protocol/clients/client-members.ts', 'export const clientMembers = {'],
  users: ['src/sandbox/config/sandbox-config.ts', 'export interface UserEntry {'],
  scopes: ['src/sandbox/config/sandbox-config.ts', 'export interface ScopeEntry {'],
  collections: ['src/sandbox/config/sandbox-config.ts', 'export interface CollectionEntry {'],
  authorizationDetailsTypes: [
    'src/sandbox/config/sandbox-config.ts',
    'export interface AuthorizationDetailsTypeEntry {',
  ],
  trustedIssuers: ['src/sandbox/config/sandbox-config.ts', 'export interface TrustedIssuerEntry {'],
  tokenClaims: ['src/protocol/token-rule.ts', 'export interface TokenRule {'],
};

/** A row for each member of the schema. A member without a comment has no description, which fails here. */
export function renderMembers({ fileSchema }, root, kind) {
  const { properties, required = [] } = entrySchema(fileSchema().$defs[kind]);
  const comments = commentsIn(readFileSync(join(root, described[kind][0]), 'utf8'), described[kind][1]);
  const rows = Object.entries(properties).map(([name, schema]) => {
    const comment = comments.get(name);
    if (comment === undefined) throw new Error(`${described[kind][0]}: ${name} has no comment`);
    return [code(name), valuesOf(schema, name), required.includes(name) ? `Required. ${comment}` : comment];
  });
  return table(['member', 'value', 'description'], rows);
}

/** A list has `items`, a map has `additionalProperties`; a scope may also be text. */
function entrySchema({ items, additionalProperties }) {
  const schema = items ?? additionalProperties;
  return schema.anyOf?.find(({ type }) => type === 'object') ?? schema;
}

function commentsIn(source, opening) {
  const [, rest = ''] = source.split(opening);
  const [body = ''] = rest.split(/^\}/m);
  const members = body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+(?:readonly )?(\w+)\??:/g);
  return new Map([...members].map(([, comment, name]) => [name, comment.replace(/\s*\n\s*\*\s?/g, ' ').trim()]));
}
