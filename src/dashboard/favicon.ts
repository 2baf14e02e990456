import type { Request, Response } from 'express';
import type { DashboardFacts } from './facts.ts';

/** Dark enough for white lines, light enough for a dark tab bar, and easy to distinguish at 16 pixels. */
const colours = ['#2f52c9', '#6b3fb8', '#0a6c66', '#9a4600', '#146c3a', '#a3286b', '#0a6584', '#7a5c00'] as const;

/** Icon of the browser tab. Its colour depends on the label or the port, so that several sandboxes differ; `?dot=1` marks an unseen problem. */
export function sendFavicon({ label, issuer }: DashboardFacts, req: Request, res: Response): void {
  const { host } = new URL(issuer);
  const colour = colours[hashOf(label || host) % colours.length] ?? colours[0];
  res
    .set('Cache-Control', 'private, max-age=600')
    .type('image/svg+xml')
    .send(icon(colour, req.query.dot === '1'));
}

function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
}

function icon(colour: string, dot: boolean): string {
  const mark = dot ? '<circle cx="25" cy="7" r="7" fill="#fff"/><circle cx="25" cy="7" r="5.5" fill="#d92d20"/>' : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${colour}"/><path d="M8 13h16v12H8zM12 13v-3a4 4 0 0 1 8 0v3" fill="none" stroke="#fff" stroke-width="2.5"/>${mark}</svg>`;
}
