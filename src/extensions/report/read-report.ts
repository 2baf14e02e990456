import * as v from 'valibot';
import type { ClientReport } from './report.ts';

/**
 * Parses a report from JSON.
 * @throws TypeError that names what was expected and what was found
 */
export function readReport(json: string): ClientReport {
  const value = parsed(json);
  if (typeof value !== 'object' || value === null) throw new TypeError(`expected ${expected}, found ${typeof value}`);
  const { format, version } = value as { readonly format?: unknown; readonly version?: unknown };
  if (format !== 'grantbox-client-report')
    throw new TypeError(
      `expected ${expected}, found ${format === undefined ? 'no format' : `format ${shown(format)}`}`,
    );
  if (version !== 1) throw new TypeError(`expected version 1 of the report, found ${shown(version)}`);
  if (!isWhole(value)) throw new TypeError(`expected ${expected}, found one without its clients or its summary`);
  return value;
}

const expected = 'a report.json written by grantbox ("format": "grantbox-client-report")';

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new TypeError(`expected ${expected}, found text that is not JSON`);
  }
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? 'nothing';
}

/** The members that the other functions read. */
const text = v.string();
const count = v.number();
const list = v.array(v.unknown());
const summary = v.object({ fail: count, warn: count, pass: count, not_applicable: count });
const check = v.object({
  ...{ id: text, title: text, expectation: text, why: text, references: list },
  verdict: v.picklist(['pass', 'warn', 'fail', 'not_applicable']),
  evidence: v.object({ requests: list }),
});
const client = v.object({ client_id: text, client_name: text, summary, checks: v.array(check) });
const report = v.object({ issuer: text, createdAt: text, summary, unseen: list, clients: v.array(client) });

function isWhole(value: object): value is ClientReport {
  return v.is(report, value);
}
