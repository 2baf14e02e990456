import { Marked } from 'marked';

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, character => escaped[character] ?? character);
}

const markdown = new Marked({
  renderer: {
    // a lesson may be written by anybody: HTML in it is text
    html: ({ text }) => escapeHtml(text),
    // no picture is fetched from elsewhere, and no link runs a script
    image: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      return /^(https?:\/\/|[/#])/i.test(href) ? `<a href="${escapeHtml(href)}">${inner}</a>` : inner;
    },
    code: ({ text }) => `<pre class="code" tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
  },
});

/** Markdown as HTML, with the values of the learner in place of `{{issuer}}`. */
export function toHtml(text: string, values: Readonly<Record<string, string>>): string {
  const filled = text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
  return markdown.parse(filled, { async: false });
}
