/** Who takes part in a picture, from left to right. */
const actors = ['browser', 'client', 'server', 'api'] as const;
export type PictureActor = (typeof actors)[number];

/** One message of a picture. */
export interface PictureStep {
  readonly from: PictureActor;
  readonly to: PictureActor;
  readonly what: string;
}

/** Reads `browser to server: log in`; undefined for a line that is not in this form. */
export function pictureStep(line: string): PictureStep | undefined {
  const [, from, to, what] = /^(browser|client|server|api) to (browser|client|server|api): (.+)$/.exec(line) ?? [];
  if (from === undefined || to === undefined || what === undefined || from === to) return undefined;
  return { from: from as PictureActor, to: to as PictureActor, what }; // by the expression
}

/** The actors of a picture with their names, and its messages from lane to lane, counted from 1. */
export function picture(steps: readonly PictureStep[], names: Readonly<Record<PictureActor, string>>) {
  const lanes = actors.filter(actor => steps.some(({ from, to }) => from === actor || to === actor));
  return {
    lanes: lanes.map(actor => names[actor]),
    steps: steps.map(({ from, to, what }) => {
      const [start, end] = [lanes.indexOf(from) + 1, lanes.indexOf(to) + 1];
      return {
        from: names[from],
        to: names[to],
        what,
        first: Math.min(start, end),
        last: Math.max(start, end),
        isBack: end < start,
      };
    }),
  };
}
