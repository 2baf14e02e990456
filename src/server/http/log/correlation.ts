/** Ids by which other programs know a request. Members of its JSON log lines, named as collectors of logs expect them. */
export interface Correlation {
  readonly trace_id?: string;
  readonly span_id?: string;
  /** `X-Request-Id` as it was sent. It does not replace our id, because a caller may repeat it. */
  readonly client_request_id?: string;
}

/** W3C Trace Context §3.2; a version after 00 may append more. */
const traceparentForm = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-.*)?$/;

/** The headers that name a request, as Node has them; `named` is `X-Request-Id`. */
export type SentHeaders = Readonly<Partial<Record<'traceparent' | 'named', string | readonly string[] | undefined>>>;

/** Longer headers are not read. */
const longest = 200;

/** The valid ids among those that a request brought. */
export function correlationOf({ traceparent = '', named = '' }: SentHeaders): Correlation {
  const [, trace_id, span_id] = (traceparent.length <= longest && traceparentForm.exec(String(traceparent))) || [];
  return {
    ...(trace_id === undefined || span_id === undefined ? {} : { trace_id, span_id }),
    ...(/^[\w.:+/=@-]{1,128}$/.test(String(named)) ? { client_request_id: String(named) } : {}),
  };
}
