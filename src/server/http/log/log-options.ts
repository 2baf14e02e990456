import type { DestinationStream } from 'pino';

/** Level, form and target of the log. */
export interface RequestLogOptions {
  readonly level: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly format: 'pretty' | 'json';
  /** The target of the lines: a stream, or a file descriptor, to which writes never block. */
  readonly destination: DestinationStream | number;
  /** The most bytes of address and headers of a request; a token with more is told. Default: 16 KiB. */
  readonly maxHeaderSize?: number;
}
