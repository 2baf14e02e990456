import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';
import { cookieSuffix, readCookie } from './cookies.ts';

/** Display preferences of one browser for the pages of one issuer. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  /** True if single-key shortcuts are on (WCAG 2.1.4). */
  readonly keys: boolean;
  /** `hidden`: secrets are masked until the user asks for them. */
  readonly secrets: 'shown' | 'hidden';
  /** True if the list of tools in the navigation was left open. */
  readonly tools: boolean;
}

const defaultPreferences: Preferences = { theme: 'system', keys: true, secrets: 'shown', tools: false };

const aYear = 31_536_000;

/**
 * Keeps the preferences in a cookie. The server renders each page by them, so nothing flashes and no script has to read
 * them.
 */
export function createPreferences(issuer: string) {
  const { protocol, pathname } = new URL(issuer);
  const name = `grantbox_view${cookieSuffix(issuer)}`;
  const path = pathname.replace(/\/$/, '') || '/';
  const flags = `Path=${path}; Max-Age=${aYear}; HttpOnly; SameSite=Strict${protocol === 'https:' ? '; Secure' : ''}`;
  return {
    read(req: Pick<IncomingMessage, 'headers'>): Preferences {
      const value = readCookie(req, name);
      return value === undefined ? defaultPreferences : parse(value);
    },
    /** `Set-Cookie` that keeps the preferences for a year. */
    cookie: (preferences: Preferences) => `${name}=${format(preferences)}; ${flags}`,
  };
}

/** Applies the chosen theme to a page; any other answer stays as it is. */
export function themed(answer: Answer, theme: Preferences['theme']): Answer {
  return theme === 'system' ? answer : { ...answer, body: inTheme(answer.body, theme) };
}

/** Adds the theme to the `<html>` tag, with which every page of ours begins. */
export function inTheme(html: string, theme: Preferences['theme']): string {
  return theme === 'system' ? html : html.replace(/^(<!doctype html>\s*<html)\b/i, `$1 data-theme="${theme}"`);
}

function format({ theme, keys, secrets, tools }: Preferences): string {
  const others = { nokeys: !keys, nosecrets: secrets === 'hidden', tools };
  return [theme, ...Object.entries(others).flatMap(([word, isOn]) => (isOn ? word : []))].join('.');
}

function parse(value: string): Preferences {
  const words = value.split('.');
  return {
    theme: words.includes('dark') ? 'dark' : words.includes('light') ? 'light' : 'system',
    keys: !words.includes('nokeys'),
    secrets: words.includes('nosecrets') ? 'hidden' : 'shown',
    tools: words.includes('tools'),
  };
}
