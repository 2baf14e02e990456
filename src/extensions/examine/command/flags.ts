import type { Flag } from '../../../client/cli/command.ts';
import { sandboxFlags } from '../../report/api/call-api.ts';
import { planList } from '../plan-list.ts';
import { formats } from '../results/formats.ts';

/** The ways to sign in to an app. */
export const loginFlags: readonly Flag[] = [
  { name: 'login', value: '<command>', about: 'Command that signs in to the app once' },
  {
    name: 'login-script',
    value: '<file>',
    about: 'Playwright script that signs in to the app once: its default export is called with page, issuer and module',
  },
  {
    name: 'browser',
    value: '<browser>',
    about: 'With --login-script: the path of a browser, or a channel of Playwright such as chrome',
    fallback: 'the Chromium that Playwright has installed',
  },
  { name: 'login-url', value: '<url>', about: 'Address that begins a sign-in in an app without scripts' },
  {
    name: 'signed-in',
    value: '<text>',
    about: 'With --login-url: a text that only a page for somebody signed in has',
  },
  {
    name: 'login-recorded',
    value: '<file>',
    about: 'File of a sign-in that was recorded on the page Examine of the dashboard, in an app without scripts',
  },
  {
    name: 'logout',
    value: '<command>',
    about: 'With --login: command that signs out of the app; exit code 0 means that nobody is signed in any more',
  },
  { name: 'logout-url', value: '<url>', about: 'With --login-url: address that signs out of the app' },
  {
    name: 'check',
    value: '<command>',
    about: 'With --login: command that asks the app; exit code 0 means that somebody is still signed in',
  },
];

/** An API, and the tokens that it is called with. */
export const apiFlags: readonly Flag[] = [
  { name: 'api', value: '<url>', about: 'Address of your API, which answers to GET' },
  {
    name: 'audience',
    value: '<aud>',
    about: 'With --api: the aud that your API expects',
    fallback: 'as the client is registered',
  },
  {
    name: 'scope',
    value: '<scope>',
    about: 'With --api: the scope that your API asks for; a token without it must be answered with 403',
    fallback: 'all scopes of the client, and no such call',
  },
  {
    name: 'client',
    value: '<client_id>',
    about: 'With --api: the client that the tokens are for',
    fallback: 'the first one that has users',
  },
  {
    name: 'rotate',
    about:
      'With --api: replace the keys at the end, also while they cannot be had; the API must fetch the new ones within 31 seconds',
  },
  ...sandboxFlags(
    'with --api: the address that HOST, PORT and TLS say, or http://localhost:9000; one is started if none runs there',
  ),
];

/** The modules that run, and how. */
export const planFlags: readonly Flag[] = [
  {
    name: 'plan',
    value: '<plan>',
    choices: planList().map(({ id }) => id),
    about: 'What to examine',
    fallback: 'relying-party, and resource-server with --api',
  },
  {
    name: 'module',
    value: '<id>',
    isList: true,
    about: 'Only this module, after the baseline',
    fallback: 'all of the plan',
  },
  {
    name: 'user',
    value: '<user>',
    about: 'User whom the sandbox signs in without a click, or whom the tokens are for',
    fallback: 'the first user; nobody with --login and --login-script, which click by themselves',
  },
  { name: 'seconds', value: '<number>', about: 'Seconds for each module', fallback: '30' },
  { name: 'side-by-side', value: '<number>', about: 'Modules that run at once', fallback: '4' },
];

/** The result, and what it is compared with. */
export const resultFlags: readonly Flag[] = [
  {
    name: 'format',
    value: '<format>',
    choices: Object.keys(formats),
    about: 'Format of the result',
    fallback: 'table',
  },
  { name: 'json', about: 'Same as --format json' },
  { name: 'output', value: '<file>', about: 'Write the result to this file and print nothing' },
  {
    name: 'fail-on',
    value: '<verdict>',
    choices: ['fail', 'warn'],
    about: 'Exit with 1 if a module failed (fail), or failed or warned (warn)',
    fallback: 'fail',
  },
  {
    name: 'baseline',
    value: '<file>',
    about:
      'Result of an earlier run in JSON, or a file of expected failures of the OpenID Foundation: what failed or warned there is known, and does not change the exit code',
  },
];
