import { recordIn } from '../../../src/base/text/record.ts';
import { BrokenPromise, demand } from './demand.ts';
import type { TestAnswer } from './http.ts';

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

export function jsonOf(answer: TestAnswer): Json {
  const value = recordIn(answer.text);
  if (value !== undefined) return value;
  throw new BrokenPromise(`expected a JSON object, got ${describe(answer)}`);
}

/** Reads a member that must be a non-empty string. */
export function textOf(json: Json, member: string): string {
  const value = json[member];
  demand(typeof value === 'string' && value !== '', `${member} is missing in ${Object.keys(json).join(', ')}`);
  return value;
}

/** Reads a list of strings; empty if the member is not a list. */
export function listOf(json: Json, member: string): readonly string[] {
  const value = json[member];
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
}

/** An answer in a few words for the message of a broken promise. */
export function describe({ status, text, headers }: Pick<TestAnswer, 'status' | 'headers' | 'text'>): string {
  const body = recordIn(text);
  if (body !== undefined) {
    const { error, error_description, detail, title } = body;
    const words = [error, error_description ?? detail ?? title].filter(each => typeof each === 'string');
    return words.length === 0 ? `${status}` : `${status} ${words.join(': ')}`;
  }
  const heading = /<h1[^>]*>([^<]*)</.exec(text)?.[1];
  const said = /class="lead"[^>]*>([\s\S]*?)<\/p>/.exec(text)?.[1]?.replace(/<[^>]*>/g, '');
  if (heading !== undefined) return `${status} and the page "${heading}"${said === undefined ? '' : `: ${said}`}`;
  return headers.location === undefined ? `${status}` : `${status} to ${headers.location.slice(0, 200)}`;
}
