import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** A code block of a document. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** The comment in the line above: `tested` of `<!-- tested -->`; empty if there is none. */
  readonly mark: string;
  /** The text of the block that follows it in the document; empty if there is none. */
  readonly next: string;
}

/** All documents of this repository, as paths from its root. */
export const documents: readonly string[] = [
  'README.md',
  'llms.txt',
  ...['CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md'],
  ...['docs', 'docs/guides', 'docs/providers', ...foldersIn('examples')].flatMap(pagesIn),
];

function pagesIn(folder: string): readonly string[] {
  const pages = readdirSync(join(root, folder)).filter(file => file.endsWith('.md'));
  return pages.map(file => join(folder, file));
}

function foldersIn(folder: string): readonly string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.filter(entry => entry.isDirectory()).map(({ name }) => join(folder, name));
}

export const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

/** The code blocks of a document, also those within a list. */
export function blocksOf(document: string): readonly Block[] {
  const fence = /(?:^ *<!-- (.+) -->\n)?^( *)```(\w+)\n([\s\S]*?)^ *```$/gm;
  const found = [...textOf(document).matchAll(fence)].map(([, mark = '', indent = '', language = '', text = '']) => ({
    mark,
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
  return found.map((block, index) => ({ ...block, next: found[index + 1]?.text ?? '' }));
}

/** A link to a file of this repository. */
export interface Link {
  readonly written: string;
  /** From the root of the repository. */
  readonly path: string;
  /** Without `#`; empty if the link has none. */
  readonly anchor: string;
}

/** The links and pictures of a document that do not leave this repository. */
export function linksOf(document: string): readonly Link[] {
  const text = withoutCode(textOf(document));
  const written = [
    ...[...text.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(([, target = '']) => target),
    ...[...text.matchAll(/(?:src|srcset|href)="([^"]+)"/g)].map(([, target = '']) => target),
  ];
  return written
    .filter(target => !/^(https?|mailto):/.test(target))
    .map(target => {
      const [path = '', anchor = ''] = target.split('#');
      return { written: target, path: path === '' ? document : normalize(join(dirname(document), path)), anchor };
    });
}

/** The anchors of a document, by GitHub's rules: small letters, hyphens for spaces, a number for a repeated heading. */
export function anchorsOf(document: string): ReadonlySet<string> {
  const headings = [...withoutBlocks(textOf(document)).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => title);
  const count = new Map<string, number>();
  return new Set(
    headings.map(title => {
      const slug = title
        .toLowerCase()
        .replaceAll(/\]\([^)]*\)/g, '')
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-');
      const before = count.get(slug) ?? 0;
      count.set(slug, before + 1);
      return before === 0 ? slug : `${slug}-${before}`;
    }),
  );
}

/** A document without its code blocks. */
export function withoutBlocks(text: string): string {
  return text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');
}
