import * as v from 'valibot';
import { textInTurns } from '../../base/turns.ts';
import { operation } from '../../sandbox/control/api/operation.ts';
import { described, optional, text } from '../../sandbox/control/described.ts';
import { unknownEntry } from '../../sandbox/control/refusal.ts';
import { textHeaders } from '../../server/http/answer.ts';
import { contextOf } from '../../server/http/request-context.ts';
import { sendText } from '../../server/http/send-text.ts';
import { issuerReport } from './issuer-report.ts';
import type { ClientReport, FailOn } from './report.ts';
import { reportAsHtml, reportAsJson, reportAsJunit } from './report-formats.ts';

const verdict = v.picklist(['pass', 'warn', 'fail', 'not_applicable']);
const summary = v.object({ pass: v.number(), warn: v.number(), fail: v.number(), not_applicable: v.number() });

const check = v.object({
  id: text('Stable: `pkce_s256`'),
  title: v.string(),
  expectation: v.string(),
  verdict,
  why: v.string(),
  references: v.array(v.string()),
  evidence: v.object({
    count: v.number(),
    requests: v.array(v.object({ requestId: v.string(), at: v.number(), method: v.string(), path: v.string() })),
    example: optional(v.string(), 'Method, address and form of the first request, without secrets'),
  }),
});

const schema = v.object({
  format: v.literal('grantbox-client-report'),
  version: v.literal(1),
  issuer: v.string(),
  createdAt: v.string(),
  recording: v.boolean(),
  incomplete: described(v.boolean(), 'True if the oldest requests are no longer in the history'),
  relaxations: optional(v.array(v.string()), 'Sentences about the drop-in relaxations that are on'),
  verdict,
  summary,
  clients: v.array(
    v.object({
      client_id: v.string(),
      client_name: v.string(),
      type: v.picklist(['public', 'confidential', 'unknown']),
      requests: v.number(),
      verdict,
      summary,
      checks: v.array(check),
    }),
  ),
  unseen: described(v.array(v.string()), 'Registered clients that sent no request'),
});

const query = v.strictObject({
  client: optional(v.string(), 'Only the client with this `client_id`'),
  format: optional(v.picklist(['json', 'html', 'junit'], 'json, html or junit'), 'Default `json`'),
  failOn: optional(
    v.picklist(['fail', 'warn'], 'fail or warn'),
    'The lowest result that JUnit XML reports as a failure. Default: `fail`',
  ),
});

/** Report on the clients. */
export const reportOperations = [
  operation({
    name: 'readReport',
    method: 'GET',
    path: '/report',
    summary: 'Check how well each client behaves, from the recorded requests: a report as JSON, HTML or JUnit XML',
    query,
    answers: { 200: { description: 'The report as JSON, or as HTML or JUnit XML by `format`', schema } },
    async run({ query: { client, format = 'json', failOn = 'fail' } }, { server, config, events }) {
      const report = await issuerReport({ server, config, events }, client === undefined ? {} : { client });
      if (client !== undefined && report.clients.length + report.unseen.length === 0)
        throw unknownEntry('client', client, server.clients.keys());
      const { type, write, headers } = formats[format];
      return {
        async stream(res) {
          res.writeHead(200, { ...textHeaders(type), ...headers, 'X-Request-Id': contextOf(res.req).id });
          await sendText(res, write(report, failOn));
        },
      };
    },
  }),
];

interface Format {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  write(report: ClientReport, failOn: FailOn): AsyncIterable<string>;
}

const formats: Readonly<Record<'json' | 'html' | 'junit', Format>> = {
  json: { type: 'application/json', write: report => textInTurns(reportAsJson(report)) },
  html: {
    type: 'text/html; charset=utf-8',
    write: report => reportAsHtml(report),
    // it quotes strangers: no script of theirs, wherever it came from
    headers: {
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    },
  },
  junit: {
    type: 'application/xml; charset=utf-8',
    write: (report, failOn) => textInTurns(reportAsJunit(report, failOn)),
  },
};
