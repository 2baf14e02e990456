import { recordIn } from '../../../base/text/record.ts';
import { CommandFailure, type Outcome, type World } from '../../../client/cli/command.ts';
import { readText } from '../../../client/cli/out-file.ts';
import { examSummaryWords } from '../examination-formats.ts';
import { proves, verified } from './certificate.ts';

/**
 * Checks a certificate, or a result in JSON. Exit code 0: it is as it was written; 1: it is not.
 * @throws CommandFailure for a file that is neither
 */
export function verifyFile(typed: string, world: World): Outcome {
  const found = verified(recordIn(readText(typed, world, '--verify: ')));
  if (found === undefined)
    throw new CommandFailure(
      `--verify: ${typed} is no certificate, and no result in JSON with a digest`,
      1,
      'Write one with --format certificate, or with --json.',
    );
  const { problems, content } = found;
  if (problems.length > 0)
    return { code: 1, out: '', note: `grantbox examine: ${typed} is not as it was written\n${lines(problems)}` };
  const { title, grantbox, createdAt, summary, digest } = content;
  const facts = [
    `${typed} is as it was written.`,
    `${title}: ${examSummaryWords(summary)}`,
    `Grantbox ${grantbox}, ${createdAt}`,
    `Digest of the result: ${digest.result}`,
    proves,
  ];
  return { code: 0, out: lines(facts), note: '' };
}

function lines(sentences: readonly string[]): string {
  return sentences.map(sentence => `${sentence}\n`).join('');
}
