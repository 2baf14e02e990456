const units = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** `4 min left`. A test keeps the words equal to those of the server. */
export function left(seconds: number, parts = 1): string {
  return `${duration(seconds, parts)} left`;
}

/** `4 min ago`. A test keeps the words equal to those of the server. */
export function ago(seconds: number): string {
  return seconds < 1 ? 'just now' : `${duration(seconds, 1)} ago`;
}

/** `in 58 min 12 s`. A test keeps the words equal to those of the server. */
export function until(seconds: number): string {
  return `in ${duration(seconds, 2)}`;
}

function duration(seconds: number, parts: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const amounts = units.map(([size, name], index) => {
    const above = units[index - 1]?.[0] ?? Number.POSITIVE_INFINITY;
    return { amount: Math.floor((whole % above) / size), name };
  });
  const first = amounts.findIndex(({ amount }) => amount > 0);
  const shown = first < 0 ? amounts.slice(-1) : amounts.slice(first, first + parts).filter(({ amount }) => amount > 0);
  return shown.map(({ amount, name }) => `${amount} ${name}`).join(' ');
}
