import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { isRecord } from '../text/record.ts';

/** The JSON Schema (2020-12) of what a schema lets in: the document says what the checks do. */
export function jsonSchemaOf(schema: GenericSchema): JsonSchema {
  const { $schema: _, ...written } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore', // what only code can check has a sentence in the refusal
    overrideAction: ({ valibotAction, jsonSchema }) => meant(valibotAction, jsonSchema),
  });
  return written;
}

/** The schema of query text that is converted, and of objects whose unknown members a rule of ours finds. */
function meant(action: { readonly type: string; readonly metadata?: unknown }, so: JsonSchema): JsonSchema | undefined {
  const { type, metadata } = action;
  if (type === 'raw_check' && so.properties !== undefined) return { ...so, additionalProperties: false };
  const own = isRecord(metadata) && metadata.jsonSchema;
  return isRecord(own) ? { ...own } : undefined;
}
