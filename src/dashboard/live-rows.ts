import type { Router } from 'express';
import { inTurns, type Pieces } from '../base/turns.ts';
import { sendHtml } from '../server/http/send-html.ts';
import type { PageContext } from './page.ts';
import { integerOf, textOf } from './query.ts';

/** The newest rows of a list, in its order. With `before` there are more: the page replaces all its rows by these. */
interface NewRows {
  readonly rows: readonly object[];
  readonly before?: string | number | undefined;
  /** How many rows are new; absent if only the shown ones are counted. */
  readonly count?: number | undefined;
}

/**
 * A list that updates itself. Its page has `<div class="card list" data-live="flows" data-on="request problem"
 * data-query="…" data-after="…">` around a `<table class="rows …">` whose rows have ids, and `partials/live-buttons`.
 * When a message of a kind in `data-on` comes (live.ts), the script fetches the rows that are new or changed since
 * `data-after`. A row with a known id replaces the old row, and new rows are inserted
 * on top.
 */
interface LiveList {
  /** `flows`: the rows are at `/dashboard/api/v1/flows/rows`. */
  readonly name: string;
  /** A template in `templates/dashboard/` that makes a `<tr id="…">` for each of `view.rows`. */
  readonly template: string;
  /**
   * Reads the rows that are new or changed since the event `after`; without it, the first page, of which those since the event
   * `since` are new.
   */
  read(query: string, after: number | undefined, since: number | undefined): Pieces<NewRows>;
}

/** Serves `GET /api/v1/<name>/rows?q=…&after=…` as HTML. */
export function serveRows(router: Router, context: PageContext, { name, template, read }: LiveList): void {
  router.get(`/api/v1/${name}/rows`, async (req, res) => {
    const newest = context.events.lastId; // events during the search come with the next rows
    const [after, since] = [req.query.after, req.query.since].map(asked => integerOf(asked) || undefined);
    // an id from the future belongs to an earlier start of the sandbox
    const known = since !== undefined && since <= newest ? since : undefined;
    const { rows, before, count } = await inTurns(read(textOf(req.query.q), after, known));
    if (before !== undefined) res.set('Grantbox-More', 'true');
    if (count !== undefined) res.set('Grantbox-Count', String(count));
    res.set('Grantbox-Newest', String(newest));
    sendHtml(res, await context.fragment(template, { rows }));
  });
}
