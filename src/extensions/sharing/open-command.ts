import { resolve } from 'node:path';
import { type Command, CommandFailure, type Given, type Outcome, textOf } from '../../client/cli/command.ts';
import { counted } from '../report/check.ts';
import { openSession } from './open-session.ts';

/** `grantbox open`. */
export const command: Command = {
  usage: '<file> [--port <port>]',
  about: [
    'Shows a recorded session in the dashboard: flows, problems, tokens and requests of a session file (Share, or Export as JSON). Redacted values stay redacted.',
    'The server is read-only, listens on 127.0.0.1 only and issues no tokens. It runs until it is stopped.',
  ],
  words: { name: 'file', most: 1 },
  flags: [{ name: 'port', value: '<port>', about: 'Port to listen on', fallback: 'a free port' }],
  examples: [['grantbox open grantbox-session.json', 'show the session of a colleague']],
  async run(given, { cwd, modules }) {
    const [name] = given.words;
    if (name === undefined) throw new CommandFailure('name the file: a session file of Grantbox');
    return shown(name, await openSession({ name, path: resolve(cwd, name), port: portOf(given), modules }));
  },
};

function shown(name: string, opened: Awaited<ReturnType<typeof openSession>>): Outcome {
  const { url, issuer, counts, notes, stop } = opened;
  const listed = Object.entries(counts).map(([what, count]) => counted(count, what.replace(/s$/, '')));
  const lines = [
    `${name} is open, read-only:`,
    `  ${url}`,
    `  ${listed.join(', ')} of ${issuer}`,
    '  Stop with Ctrl+C.',
  ];
  return {
    code: 0,
    out: `${lines.join('\n')}\n`,
    note: notes.map(note => `${note}\n`).join(''),
    running: { stop },
  };
}

function portOf(given: Given): number {
  const typed = textOf(given, 'port') ?? '0';
  const port = Number(typed);
  if (/^\d{1,5}$/.test(typed) && port <= 65_535) return port;
  throw new CommandFailure(`--port expects a number from 0 to 65535, not ${JSON.stringify(typed)}`);
}
