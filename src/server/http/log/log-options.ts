import type { DestinationStream } from 'pino';
import type { EventOf, EventType } from '../../../base/events/event.ts';

/** Level, form and target of the log. */
export interface RequestLogOptions {
  readonly level: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly format: 'pretty' | 'json';
  /** The target of the lines: a stream, or a file descriptor, to which writes never block. */
  readonly destination: DestinationStream | number;
  /** The most bytes of address and headers of a request; a token with more is told. Default: 16 KiB. */
  readonly maxHeaderSize?: number;
  readonly lines?: AddedLines;
}

/** The facts and the text of a line at the level `info`. */
export type AddedLine = readonly [facts: object, text: string];

/** Lines of the events that extensions add. */
export type AddedLines = { readonly [T in EventType]?: (event: EventOf<T>) => AddedLine };
