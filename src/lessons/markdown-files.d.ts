/** The text of a lesson, which the build puts beside its code. */
declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is what a bundler makes of a file of text
  export default text;
}
