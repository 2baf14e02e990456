/** A file under `/assets/`: where it lies in the templates folder, and what it is. */
export interface Asset {
  /** Relative to the templates folder. */
  readonly file: string;
  readonly contentType: string;
}

const script = 'text/javascript; charset=utf-8';

/** The known assets by the name in `/assets/<name>`; nothing else is ever served. */
export const assets: ReadonlyMap<string, Asset> = new Map([
  ['grantbox.css', { file: 'assets/grantbox.css', contentType: 'text/css; charset=utf-8' }],
  ['favicon.svg', { file: 'assets/favicon.svg', contentType: 'image/svg+xml' }],
  ['dashboard.js', { file: 'assets/dashboard.js', contentType: script }],
  ['login.js', { file: 'assets/login.js', contentType: script }],
  ['logged-out.js', { file: 'assets/logged-out.js', contentType: script }],
  ['check-session.js', { file: 'assets/check-session.js', contentType: script }],
  ['form-post.js', { file: 'assets/form-post.js', contentType: script }],
]);
