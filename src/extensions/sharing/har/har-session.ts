import { atOnce } from '../../../base/turns/in-turns.ts';
import { wholeText } from '../../../base/turns/text.ts';
import { problemsIn } from '../../../dashboard/exports/session-problems.ts';
import { exportRequests } from '../../../record/flows/exports/export.ts';
import { asJson } from '../../../record/flows/exports/json.ts';
import { foundProblems } from '../recorded-problems.ts';
import { providerEndpoints } from './endpoints.ts';
import { readEntries } from './entries.ts';
import { recordEntries } from './record.ts';
import { setupOf } from './setup.ts';

/**
 * The session in a HAR file, redacted by the rules of an export: requests to the endpoints of a provider, the pages of its login, and the
 * flows and problems that they show. Undefined if there are none.
 */
export function harSession(log: Readonly<Record<string, unknown>>): unknown {
  const entries = readEntries(log);
  const endpoints = providerEndpoints(entries);
  const { events, flows, requestIds, logins, origin } = recordEntries(entries, endpoints);
  const [last] = events.latest('request.completed', 1);
  if (last === undefined) return undefined;
  const issuer = endpoints.issuer ?? origin;
  const now = Math.ceil(last.at);
  const exported = atOnce(exportRequests(requestIds, flows, { events, issuer, now, secrets: 'redact' }));
  const problems = atOnce(problemsIn({ problems: foundProblems(events, issuer, now) }, exported));
  return JSON.parse(wholeText(asJson(exported, { problems, setup: setupOf(logins) })));
}
