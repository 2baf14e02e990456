import { Marked } from 'marked';
import { filledIn } from './fields.ts';

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
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
  return markdown.parse(filledIn(text, values), { async: false });
}

/** Renders Markdown of one line, such as an answer: without links, because a click on its words chooses it. */
export function toLine(text: string): string {
  return withoutLinks.parseInline(text, { async: false });
}

const withoutLinks = new Marked({
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    link({ tokens }) {
      return this.parser.parseInline(tokens);
    },
  },
});

/** A blank in a handout, to be filled in by hand. */
const blank = '________';

/** The kinds of values that a command of a lesson has, each with what stays. */
const values: readonly (readonly [RegExp, string])[] = [
  // a variable of the shell that the learner sets
  [/^([A-Z_]+)=.+$/gm, `$1=${blank}`],
  // parameters of a query or a form; the name stays
  [/([?&\s'"][a-z_]+)=(?!_)[^&\s'"]+/g, `$1=${blank}`],
  // the name and the secret of a client
  [/(-u )[^\s:]+:\S+/g, `$1${blank}:${blank}`],
  [/((?:Bearer|Basic|DPoP) )[^'"\s]+/g, `$1${blank}`],
];

/**
 * Markdown of a lesson with blanks to be filled in by hand, in place of the values of its commands, of the values of the
 * learner, and of `secrets` wherever the text names them.
 */
export function withBlanks(text: string, secrets: readonly string[] = []): string {
  const withoutFiles = text.replace(
    /^```\w+ ([\w.-]+)\n[\s\S]*?^```$/gm,
    'The file `$1` is on the page of the lesson.',
  );
  const ofOneShell = withoutFiles.replace(/^```powershell\n[\s\S]*?^```\n?/gm, '');
  const boxes = ofOneShell.replace(/^\{\{[^}]*: (.+)\}\}$/gm, (_, label: string) => `${label}: ${blank}`);
  const blanked = boxes.replace(/^```.*\n[\s\S]*?^```$/gm, inCode);
  const filled = blanked.replace(/\{\{\w+\}\}/g, blank);
  return secrets.reduce((left, secret) => left.replace(asWord(secret), blank), filled);
}

/** The PKCE verifiers that commands send. */
export function verifiersIn(text: string): readonly string[] {
  return [...text.matchAll(/code_verifier=([\w.~-]{43,})/g)].map(([, verifier = '']) => verifier);
}

/** A longer word that contains the secret is a different word. */
function asWord(secret: string): RegExp {
  return new RegExp(`(?<![\\w-])${secret.replace(/[^\w]/g, '\\$&')}(?![\\w-])`, 'g');
}

function inCode(code: string): string {
  return values.reduce((text, [value, left]) => text.replace(value, left), code);
}
