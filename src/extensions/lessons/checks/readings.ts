import type { ExchangeReading } from './check.ts';
import type { WantedRequest } from './pattern.ts';

type KeyOf<T> = T extends unknown ? keyof T : never;

/** The readings of `exchange`, and of `read` in a step of a chain. The documentation and the messages about lessons have it from here. */
export const readings: Readonly<Record<KeyOf<ExchangeReading>, string>> = {
  parameter: 'a parameter of the query or the form, by its name',
  header: 'a header of the request',
  answerHeader: 'a header of the response',
  answerMember: 'a text in the JSON object of the response, by the name of its member',
};

/** The parts of `request`, which is beside the fields of an event. */
export const requestParts: Readonly<Record<keyof WantedRequest, string>> = {
  method: '`GET`, `POST`, …',
  path: 'the path without the query',
  parameter: 'an object: parameters of the query or the form by name',
  header: 'an object: headers by name',
  piece:
    'the piece of the token after `Authorization: Bearer` that was changed: `header`, `claims`, `signature`, or several: `header, signature`',
};
