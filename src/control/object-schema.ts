import * as v from 'valibot';
import { jsonObject } from '../config/schema.ts';

/** A JSON object with any members, which the document of the API can tell from anything else. */
export const object = v.pipe(jsonObject, v.metadata({ jsonSchema: { type: 'object' } }));
