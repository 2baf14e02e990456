import { isRecord } from '../text/record.ts';
import { type Format, jsonList, parseJson } from './formats.ts';

const listedClients = jsonList('clients');

/** A JSON list of clients. The same variable switches on a relaxation by the word `any`. */
export const clientList: Format<readonly unknown[] | undefined> = {
  ...listedClients,
  read: raw => (raw === 'any' ? { value: undefined } : listedClients.read(raw)),
};

/** A JSON object: as text, or as it is in a file. */
export const jsonMembers: Format<Readonly<Record<string, unknown>>> = {
  values: 'JSON object',
  expected: 'a JSON object',
  jsonSchema: { type: 'object' },
  read(raw) {
    const parsed = typeof raw === 'string' ? parseJson(raw) : { value: raw };
    if ('value' in parsed && isRecord(parsed.value)) return { value: parsed.value };
    return { findings: [{ path: [], value: raw, expected: 'a JSON object' }] };
  },
};
