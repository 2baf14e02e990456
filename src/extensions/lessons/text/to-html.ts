import { Marked } from 'marked';

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, character => escaped[character] ?? character);
}

const markdown = new Marked({
  renderer: {
    // anybody may write a lesson, so HTML in it is shown as text
    html: ({ text }) => escapeHtml(text),
    // pictures are not fetched from other servers, and links run no script
    image: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      return /^(https?:\/\/|[/#])/i.test(href) ? `<a href="${escapeHtml(href)}">${inner}</a>` : inner;
    },
    code: ({ text }) => `<pre class="code" tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
  },
});

/** Renders Markdown as HTML, and replaces placeholders such as `{{issuer}}` by the values of the learner. */
export function toHtml(text: string, values: Readonly<Record<string, string>>): string {
  const filled = text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
  return markdown.parse(filled, { async: false });
}
