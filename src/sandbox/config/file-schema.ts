import { clientSchema } from './client/client-schema.ts';
import { collectionSchema } from './collection-entry.ts';
import { typeSchema } from './details-type-entry.ts';
import type { SchemaKeywords } from './formats.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { scopeSchema } from './scope-entry.ts';
import type { Setting } from './settings.ts';
import { tokenRuleSchema } from './token-rule-entry.ts';
import { issuerSchema } from './trusted-issuer-entry.ts';
import { userSchema } from './user-entry.ts';

/**
 * The JSON Schema (2020-12) of a configuration file, made from the checks of its members. Rules between members are not
 * in it.
 */
export function fileSchema(table: readonly Setting[]): SchemaKeywords {
  const inFile = table.filter(row => row.inFile);
  const registration = {
    clients: { type: 'array', items: jsonSchemaOf(clientSchema) },
    users: { type: 'array', items: jsonSchemaOf(userSchema) },
    scopes: byName({ anyOf: [{ type: 'string' }, jsonSchemaOf(scopeSchema)] }),
    collections: byName(jsonSchemaOf(collectionSchema)),
    authorizationDetailsTypes: byName(jsonSchemaOf(typeSchema)),
    trustedIssuers: byName(jsonSchemaOf(issuerSchema)),
    tokenClaims: { type: 'array', items: jsonSchemaOf(tokenRuleSchema) },
  } as const satisfies Record<string, object>;
  const issuer = objectOf({
    ...references(registration),
    ...settingSchemas(inFile.filter(({ isWhole }) => isWhole !== true)),
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of Grantbox',
    ...objectOf({
      $schema: { type: 'string', description: 'Address of this schema, for editors' },
      ...references(registration),
      issuers: { ...byName(issuer), description: 'More issuers of this process, by path' },
      ...settingSchemas(inFile),
    }),
    $defs: registration,
  };
}

/** The definitions that the first issuer and the others share. */
function references(definitions: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(Object.keys(definitions).map(name => [name, { $ref: `#/$defs/${name}` }]));
}

function settingSchemas(rows: readonly Setting[]): Record<string, object> {
  return Object.fromEntries(rows.map(({ name, help, format }) => [name, { ...format.jsonSchema, description: help }]));
}

function objectOf(properties: Record<string, object>): SchemaKeywords {
  return { type: 'object', properties, additionalProperties: false };
}

function byName(additionalProperties: object): SchemaKeywords {
  return { type: 'object', additionalProperties };
}
