import type { Router } from 'express';
import type { Desk } from '../desk.ts';
import { textOf } from '../query.ts';

/** The newest rows of a list. */
export interface NewRows {
  /** In the order of the list. */
  readonly rows: readonly object[];
  /** True if there are too many new rows: the page replaces all its rows by these. */
  readonly more: boolean;
  /** The value for `after` in the next request of the page: an event id or a time. */
  readonly newest: string | number;
}

/**
 * A list that updates itself. Its page has `<div class="card list" data-live="flows" data-on="request problem"
 * data-query="…" data-after="…">` around a `<table class="rows …">` whose rows have ids, and `partials/live-buttons`.
 * When a message of a kind in `data-on` comes (live/feed.ts), the script fetches the rows that are new or changed since
 * `data-after`. A row with a known id replaces the old row, and new rows are inserted
 * on top.
 */
export interface LiveList {
  /** `flows`: the rows are at `/dashboard/api/v1/flows/rows`. */
  readonly name: string;
  /** A template in `templates/dashboard/` that makes a `<tr id="…">` for each of `view.rows`. */
  readonly template: string;
  /** Reads the rows after the cursor `after`; an empty `after` returns the first page. */
  read(query: string, after: string): NewRows | Promise<NewRows>;
}

/** Serves `GET /api/v1/<name>/rows?q=…&after=…` as HTML. */
export function serveRows(router: Router, desk: Desk, { name, template, read }: LiveList): void {
  router.get(`/api/v1/${name}/rows`, async (req, res) => {
    const after = textOf(req.query.after);
    const { rows, more, newest } = await read(textOf(req.query.q), after === '0' ? '' : after);
    if (more) res.set('Grantbox-More', 'true');
    res.set('Grantbox-Newest', String(newest));
    res.type('html').send(await desk.fragment(template, { rows }));
  });
}
