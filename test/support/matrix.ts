const { FULL_MATRIX = '' } = process.env;

/** `FULL_MATRIX=1` asks for each combination of width, theme and scripts; without it a page gets those that find most. */
export const isFullMatrix = FULL_MATRIX !== '' && FULL_MATRIX !== '0';
