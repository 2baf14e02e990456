const { FULL_MATRIX = '' } = process.env;

/** `FULL_MATRIX=1` asks for each combination of width, theme and scripts; without it a page gets those that find most. */
export const isFullMatrix = FULL_MATRIX !== '' && FULL_MATRIX !== '0';

const withAndWithoutScripts = [
  ['on', { javaScriptEnabled: true }],
  ['off', { javaScriptEnabled: false }],
] as const;

/** For `describe.each`; test/browser/without-scripts.test.ts does the core tasks with scripts off in each run. */
export const scripts = isFullMatrix ? withAndWithoutScripts : withAndWithoutScripts.slice(0, 1);
