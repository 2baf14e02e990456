/** The text of a lesson. The build bundles it with the code of the lesson. */
declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: bundlers export a text file as default
  export default text;
}
