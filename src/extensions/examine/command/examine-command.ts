import { resolve } from 'node:path';
import { asJsonText, type Command, done, formatOf, isOn, textOf } from '../../../client/cli/command.ts';
import { writeText } from '../../../client/cli/out-file.ts';
import type { ExamFailOn } from '../examination-formats.ts';
import { planList, planListAsText } from '../plan-list.ts';
import { digestLine } from '../results/certificate.ts';
import { formats } from '../results/formats.ts';
import { verifyFile } from '../results/verify.ts';
import { apiFlags, loginFlags, planFlags, resultFlags } from './flags.ts';
import { optionsFrom } from './login-from.ts';
import { knownIn, outcome } from './result.ts';
import { apiExamined, examined } from './run-examination.ts';

/** `grantbox examine`. */
export const command: Command = {
  usage: '--login <command> | --login-script <file> | --login-url <url> | --api <url> | --list',
  about: [
    'Tells whether an app that signs people in, or an API, is safe. For an app it starts a sandbox that misbehaves in a different way for each module of a plan, signs in to the app each time, and judges what the app does: wrong tokens and wrong responses must be refused, unusual ones accepted.',
    '--login is a command that signs in once, such as a test of the app: exit code 0 means that somebody is signed in. It finds the issuer in GRANTBOX_ISSUER. An app that cannot be told an issuer uses the one of the sandbox, http://localhost:9000, and its modules run one after the other. --login-script is a module for Playwright, which is called with a page of a new browser for each module: export default async ({ page, issuer, module }) => true, if somebody is signed in. It uses the Playwright that is installed beside it. --login-url needs no command: the examiner follows redirects by itself. --login-recorded also sends the forms of a sign-in that was recorded on the page Examine of the dashboard.',
    '--api calls your API with good and bad tokens of a running sandbox, or of one that it starts. The API must answer to GET, and must trust the issuer of the sandbox. If it refuses the good token, the command looks for the reason: whether it fetched the keys, and which typ or aud it accepts.',
    'Exit code 0: no module failed. 1: a module failed, or the app or API does not work where nothing is wrong. 2: the API or the sandbox did not answer. With --verify, 0: the file is as it was written, 1: it is not.',
  ],
  flags: [
    ...loginFlags,
    ...apiFlags,
    ...planFlags,
    ...resultFlags,
    {
      name: 'verify',
      value: '<file>',
      about: 'Check the digest of a certificate or of a result in JSON, and examine nothing',
    },
    { name: 'list', about: 'Print all plans and modules, and examine nothing' },
  ],
  examples: [
    ["grantbox examine --login 'npx playwright test login.spec.ts'", 'with the test of the sign-in that you have'],
    ['grantbox examine --login-script login.mjs --user alice', 'with a script of Playwright, in one browser'],
    ["grantbox examine --login-url http://localhost:3000/login --signed-in 'Sign out'", 'a web app without scripts'],
    [
      "grantbox examine --plan oauth-bcp --login 'node login.mjs' --user alice --json",
      'the attacks of RFC 9700, for a pipeline',
    ],
    [
      'grantbox examine --api http://localhost:8080/bikes --audience my-api --scope bikes:read',
      'an API, with its audience and its scope',
    ],
    [
      "grantbox examine --plan logout --login 'node app.mjs' --logout 'node app.mjs' --check 'node app.mjs'",
      'what the app does when somebody signs out',
    ],
    ['grantbox examine --list', 'what is examined, and why'],
  ],
  async run(given, world) {
    const format = formatOf(given, 'table');
    if (isOn(given, 'list')) return done(format === 'json' ? asJsonText(planList()) : planListAsText());
    const written = textOf(given, 'verify');
    if (written !== undefined) return verifyFile(written, world);
    const known = knownIn(given, world); // before the work begins, so that a mistake costs no time
    const result = isOn(given, 'api')
      ? await apiExamined(given, world)
      : await examined(world, await optionsFrom(given, world));
    const failOn = (textOf(given, 'fail-on') ?? 'fail') as ExamFailOn; // one of the choices of the flag
    const text = (await formats[format]?.(result, failOn)) ?? '';
    const file = textOf(given, 'output');
    if (file !== undefined) writeText(resolve(world.cwd, file), text, `--output: ${file}`);
    const ended = outcome(result, { failOn, known }, file === undefined ? text : '');
    const isKept = format === 'certificate' && file !== undefined;
    return isKept ? { ...ended, note: `${ended.note}${digestLine(result)}` } : ended; // a log is where others look it up
  },
};
