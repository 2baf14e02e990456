import type { Arrow, Drawing } from './model.ts';
import { assertedArrow, openedArrow, signOutArrow, typedArrow } from './unseen.ts';

/** What came before the first request; empty where the beginning is forgotten. */
export function openingArrows({ flow }: Drawing): readonly Arrow[] {
  if (flow.incomplete) return [];
  const begins = openings[flow.kind];
  const isFirst = flow.steps[0]?.joinedBy !== undefined;
  return begins !== undefined && isFirst && startsThere(flow) ? begins : [];
}

const openings: Readonly<Partial<Record<Drawing['flow']['kind'], readonly Arrow[]>>> = {
  authorization_code: [openedArrow],
  hybrid: [openedArrow],
  implicit: [openedArrow],
  password: [typedArrow],
  jwt_bearer: [assertedArrow],
  logout: [signOutArrow],
};

/** A code that nobody knows begins with the token request: then nothing was opened here. */
function startsThere({ kind, steps }: Drawing['flow']): boolean {
  return kind === 'password' || kind === 'jwt_bearer' || steps[0]?.endpoint !== 'token';
}
