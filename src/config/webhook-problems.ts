import { endpointListFindings } from '../webhooks/check-endpoint.ts';
import { type ConfigProblem, formatPath, show } from './problem.ts';
import type { WebhookEntry } from './webhook-list.ts';

/** The problems of the endpoints of one issuer. `source` is the place of the list. A secret is never quoted. */
export function webhookProblems(entries: readonly WebhookEntry[], source: string): readonly ConfigProblem[] {
  return endpointListFindings(entries).map(({ path, value, expected }) => ({
    source: `${source}${formatPath(path)}`,
    ...(value === undefined ? {} : { value: show(value) }),
    expected,
  }));
}
