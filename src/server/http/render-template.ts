/**
 * Renders an EJS file as HTML. The file is compiled on its first use, and EJS is loaded then, so that the start does not
 * wait for it.
 */
export async function renderTemplate(file: string, view: object): Promise<string> {
  const { default: ejs } = await import('ejs');
  return ejs.renderFile(file, view, { cache: true, strict: true, localsName: 'view', rmWhitespace: true });
}
