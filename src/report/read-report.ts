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

/** Checks the members that the other functions read. */
function isWhole(value: object): value is ClientReport {
  const { clients, summary, unseen, issuer, createdAt } = value as Partial<ClientReport>;
  const hasClients =
    Array.isArray(clients) &&
    clients.every(each => isNamed(each) && isSummary(each.summary) && each.checks.every(isCheck));
  return (
    hasClients &&
    isSummary(summary) &&
    Array.isArray(unseen) &&
    typeof issuer === 'string' &&
    typeof createdAt === 'string'
  );
}

function isNamed(client: ClientReport['clients'][number]): boolean {
  return (
    typeof client?.client_id === 'string' && typeof client.client_name === 'string' && Array.isArray(client.checks)
  );
}

const verdicts: readonly unknown[] = ['pass', 'warn', 'fail', 'not_applicable'];

function isCheck(check: ClientReport['clients'][number]['checks'][number]): boolean {
  const texts = [check?.id, check?.title, check?.expectation, check?.why];
  return (
    texts.every(text => typeof text === 'string') &&
    verdicts.includes(check.verdict) &&
    Array.isArray(check.references) &&
    Array.isArray(check.evidence?.requests)
  );
}

function isSummary(summary: ClientReport['summary'] | undefined): boolean {
  return [summary?.fail, summary?.warn, summary?.pass, summary?.not_applicable].every(
    count => typeof count === 'number',
  );
}
