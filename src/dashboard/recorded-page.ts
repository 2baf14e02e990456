import type { MessagePage } from './desk.ts';
import type { OpenedRecord } from './opened.ts';

/** Refuses a form: a record cannot change. */
export function recordedPage({ file }: Pick<OpenedRecord, 'file'>, base: string): MessagePage {
  return {
    title: 'A recorded session is read-only',
    code: file,
    paragraphs: [
      'Nothing was changed. The pages show a file, and this server issues no tokens.',
      'Run npx grantbox reproduce with the file to repeat the session in a sandbox.',
    ],
    links: [{ href: `${base}/dashboard/flows`, name: 'Flows' }],
  };
}
