import template from './new-lesson.md';

/** The files of a new lesson by name. `today` is a date such as 2026-11-23. */
export function newLesson(id: string, today: string): ReadonlyMap<string, string> {
  const [, ...parts] = template.replaceAll('NAME', id).replaceAll('DATE', today).split(/^%% /m);
  return new Map(parts.map(part => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]));
}
