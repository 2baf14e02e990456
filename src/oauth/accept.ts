/** Whether an `Accept` header names the first media type and prefers it to the second (RFC 9110 §12.5.1). */
export function acceptsMore(accept: string | undefined, type: string, than: string): boolean {
  const qualities = new Map((accept ?? '').split(',').map(readRange));
  const wanted = qualities.get(type) ?? 0;
  return wanted > 0 && wanted >= (qualities.get(than) ?? 0);
}

function readRange(range: string): readonly [type: string, quality: number] {
  const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase());
  const quality = parameters.find(parameter => parameter.startsWith('q='));
  return [type, quality === undefined ? 1 : Number(quality.slice('q='.length)) || 0];
}
