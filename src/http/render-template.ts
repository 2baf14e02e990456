/** An EJS file as HTML, compiled on its first use. EJS itself is loaded then, too: a start does not wait for it. */
export async function renderTemplate(file: string, view: object): Promise<string> {
  const { default: ejs } = await import('ejs');
  return ejs.renderFile(file, view, { cache: true, strict: true, localsName: 'view', rmWhitespace: true });
}
