import { recordIn } from '../../base/text/record.ts';
import { controlRefusal } from '../../client/cli/ask.ts';
import { type Command, CommandFailure, done, type Given, type Outcome, type World } from '../../client/cli/command.ts';
import { connectIssuer, connectionFlags, controlFlag } from '../../client/cli/connection.ts';
import { newFile, readText, writeText } from '../../client/cli/out-file.ts';

/** `grantbox state`. */
export const command: Command = {
  usage: 'export <file>|- | import <file>|- [--url <url>]',
  about: [
    'Moves what a running sandbox remembers to another one: its keys, the clients, users, scopes and collections that were changed, its sessions and refresh tokens. export writes them to a new file, or to standard output; import replaces those of the sandbox by the ones of a file, or of standard input.',
    'The file has private keys and refresh tokens: it is a secret, and only its owner may read it. A file that STATE_FILE names has the same form.',
  ],
  words: { name: 'export|import', most: 2 },
  flags: [...connectionFlags, controlFlag],
  examples: [
    ['grantbox state export state.json', 'keep the state of the sandbox at http://localhost:9000'],
    ['grantbox state import state.json --url https://sandbox.example', 'put it into another sandbox'],
    ['grantbox state export - | grantbox state import - --url http://localhost:9100', 'move it in one line'],
  ],
  async run(given, world) {
    const [action, file] = given.words;
    if ((action !== 'export' && action !== 'import') || file === undefined)
      throw new CommandFailure('say what to do, and name the file: grantbox state export state.json');
    return action === 'export' ? exported(given, world, file) : imported(given, world, file);
  },
};

async function exported(given: Given, world: World, file: string): Promise<Outcome> {
  const target = file === '-' ? undefined : newFile(file, world.cwd); // a mistake costs no request
  const { base, text } = await askState(given, world);
  if (target === undefined) return done(text);
  writeText(target.path, `${text}\n`, file, { flag: 'wx', mode: 0o600 });
  return done(`${file} has the state of ${base}. It has private keys: keep it secret.`);
}

async function imported(given: Given, world: World, file: string): Promise<Outcome> {
  const body = readText(file, world);
  if (recordIn(body) === undefined) throw new CommandFailure(`${file} is not a state file: it is not a JSON object`, 2);
  const { base } = await askState(given, world, body);
  return done(`${base} has the state of ${file === '-' ? 'standard input' : file}.`);
}

/** As large as an import may be. */
const mostBytes = 64 * 1024 * 1024;

/** Reads the state, or replaces it by `body`. */
async function askState(given: Given, world: World, body?: string): Promise<{ base: string; text: string }> {
  const { base, ask, controlHeaders } = await connectIssuer(given, world);
  const limits = { timeoutSeconds: 60, maxBytes: mostBytes };
  const headers = { ...controlHeaders, 'Content-Type': 'application/json' };
  const sent = body === undefined ? { headers: controlHeaders } : { method: 'PUT' as const, headers, body };
  const answered = await ask('/_sandbox/state', { ...limits, ...sent });
  if (answered.status === 200) return { base, text: answered.text };
  throw controlRefusal(`${base}/_sandbox/state`, answered);
}
