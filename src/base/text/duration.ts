const units: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** `58 min 12 s`; at most `parts` units, the small ones left out. */
export function duration(seconds: number, parts = 2): string {
  let rest = Math.max(0, Math.floor(seconds));
  const words: string[] = [];
  for (const [size, name] of units) {
    const amount = Math.floor(rest / size);
    if (words.length > 0 || amount > 0) words.push(`${amount} ${name}`);
    rest -= amount * size;
    if (words.length === parts) break;
  }
  const said = words.filter(word => !word.startsWith('0 '));
  return said.length === 0 ? '0 s' : said.join(' ');
}

/** `12 s ago`, `just now`. */
export function ago(seconds: number): string {
  return seconds < 1 ? 'just now' : `${duration(seconds, 1)} ago`;
}

/** A time from now in seconds: `in 58 min 12 s`, `12 s ago`. */
export function relative(distance: number): string {
  return distance < 1 ? ago(-distance) : `in ${duration(distance)}`;
}

/** `4 min left`. */
export function left(seconds: number, parts = 1): string {
  return `${duration(seconds, parts)} left`;
}
