import type { EventOf, EventType, SandboxEvent } from '../../base/events/event.ts';

/** One metric that is counted from events. */
export interface MetricRow {
  /** `grantbox_…`, as Prometheus names metrics: a unit, and `_total` for a counter. */
  readonly name: string;
  readonly type: 'counter' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** The labels of an event in their order, and the value of a histogram; undefined where the event does not count. */
  readonly read: (event: SandboxEvent) => Reading | undefined;
}

interface Reading {
  readonly labels: readonly (string | number)[];
  /** Seconds, for a histogram. */
  readonly seconds?: number;
}

function row<T extends EventType>(
  name: string,
  help: string,
  labels: readonly string[],
  types: readonly T[],
  read: (event: EventOf<T>) => Reading['labels'],
): MetricRow {
  // the types of an event are known by its name
  const isOne = (event: SandboxEvent): event is EventOf<T> & SandboxEvent => types.includes(event.type as T);
  return {
    name,
    type: 'counter',
    help,
    labels,
    read: event => (isOne(event) ? { labels: read(event) } : undefined),
  };
}

const answered = ['request.completed', 'page.served'] as const;

const durations: MetricRow = {
  name: 'grantbox_http_request_duration_seconds',
  type: 'histogram',
  help: 'Time from the arrival of a request to the end of its response, by route.',
  labels: ['route'],
  read: event =>
    event.type === 'request.completed' || event.type === 'page.served'
      ? { labels: [event.endpoint], seconds: event.milliseconds / 1000 }
      : undefined,
};

/** All metrics that are counted from events. The documentation lists them from here. */
export const metricRows: readonly MetricRow[] = [
  row(
    'grantbox_http_requests_total',
    'Answered requests by route, method and status. 499: the client closed the connection first; 444: a fault closed it.',
    ['route', 'method', 'status'],
    answered,
    ({ endpoint, method, status }) => [endpoint, method, status],
  ),
  durations,
  row(
    'grantbox_refusals_total',
    'Refused requests by error code and by reason, a closed list.',
    ['error', 'reason'],
    ['error.returned'],
    ({ error, reason }) => [error, reason],
  ),
  row(
    'grantbox_authorization_requests_total',
    'Valid requests at the authorization endpoint by response type.',
    ['response_type'],
    ['authorization.requested'],
    event => [event.response_type],
  ),
  row(
    'grantbox_token_requests_total',
    'Token requests of authenticated clients by grant type.',
    ['grant_type'],
    ['token.requested'],
    event => [event.grant_type],
  ),
  row('grantbox_codes_issued_total', 'Authorization codes issued.', [], ['code.issued'], () => []),
  row(
    'grantbox_tokens_issued_total',
    'Tokens issued by kind (access, refresh, id) and grant type.',
    ['token_type', 'grant_type'],
    ['token.issued'],
    event => [event.tokenType, event.grant_type],
  ),
  row(
    'grantbox_tokens_revoked_total',
    'Authorizations whose tokens were revoked, by reason.',
    ['reason'],
    ['token.revoked'],
    event => [event.reason],
  ),
  row(
    'grantbox_logins_total',
    'Sessions begun, by the rule that signed the user in.',
    ['by'],
    ['login.succeeded'],
    event => [event.by ?? 'unknown'],
  ),
  row('grantbox_sessions_ended_total', 'Sessions ended.', [], ['session.ended'], () => []),
  row(
    'grantbox_consents_total',
    'Decisions on the consent screen.',
    ['decision'],
    ['consent.granted', 'consent.denied'],
    ({ type }) => [type === 'consent.granted' ? 'granted' : 'denied'],
  ),
  row(
    'grantbox_faults_applied_total',
    'Faults that changed a response, by name.',
    ['fault'],
    ['fault.applied'],
    event => [event.fault],
  ),
  {
    name: 'grantbox_events_total',
    type: 'counter',
    help: 'Events in the log by type.',
    labels: ['type'],
    read: event => ({ labels: [event.type] }),
  },
];

/** Values that are read when somebody asks. */
export const gaugeRows = [
  { name: 'grantbox_build_info', help: 'Always 1; the label has the version.', labels: ['version'] },
  {
    name: 'grantbox_stored',
    help: 'Entries that the protocol of the first issuer keeps, by kind: session, code, refresh_token and others.',
    labels: ['kind'],
  },
  { name: 'grantbox_limit_used', help: 'What the first issuer keeps, by limit.', labels: ['limit'] },
  { name: 'grantbox_limit_max', help: 'How much of it the first issuer may keep.', labels: ['limit'] },
  { name: 'grantbox_ready', help: '1 while /ready answers UP, else 0.', labels: [] },
] as const satisfies readonly { readonly name: string; readonly help: string; readonly labels: readonly string[] }[];

export type GaugeRow = (typeof gaugeRows)[number];
export type GaugeName = GaugeRow['name'];
