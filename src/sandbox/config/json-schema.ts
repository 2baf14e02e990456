import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import { type GenericSchema, getDescription } from 'valibot';
import { isRecord } from '../../base/text/record.ts';

/** The JSON Schema (2020-12) of the values that a schema accepts. */
export function jsonSchemaOf(schema: GenericSchema): JsonSchema {
  const { $schema: _, ...written } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore', // checks that only code can do are explained by the refusal
    overrideSchema: ({ valibotSchema, jsonSchema }) => withDescription(valibotSchema, jsonSchema),
    overrideAction: ({ valibotAction, jsonSchema }) => meant(valibotAction, jsonSchema),
  });
  return written;
}

/** The input of a member ends at its conversion, and its description comes after that. */
function withDescription(schema: object, so: JsonSchema): JsonSchema | undefined {
  if (so.description !== undefined || !('wrapped' in schema)) return undefined;
  const description = getDescription(schema.wrapped as GenericSchema);
  return description === undefined ? undefined : { ...so, description };
}

/** JSON Schema for converted query text, and for objects whose unknown members our own rule finds. */
function meant(action: { readonly type: string; readonly metadata?: unknown }, so: JsonSchema): JsonSchema | undefined {
  const { type, metadata } = action;
  if (type === 'raw_check' && so.properties !== undefined) return { ...so, additionalProperties: false };
  const own = isRecord(metadata) && metadata.jsonSchema;
  return isRecord(own) ? { ...own } : undefined;
}
