import type { Request, Response } from 'express';
import type { DashboardOptions } from './dashboard-options.ts';

/** Dark enough for white lines, light enough for a dark bar of tabs, and told apart at 16 pixels. */
const colours = ['#2f52c9', '#6b3fb8', '#0a6c66', '#9a4600', '#146c3a', '#a3286b', '#0a6584', '#7a5c00'] as const;

/** The icon of a tab: each sandbox has a colour of its own, by label or port; `?dot=1` marks a problem nobody has seen. */
export function sendFavicon({ label, issuer }: DashboardOptions, req: Request, res: Response): void {
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
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${colour}"/><path d="M9 12.5 16 8.5l7 4v7.5l-7 4-7-4zM9 12.5l7 4 7-4M16 16.5V24" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>${mark}</svg>`;
}
