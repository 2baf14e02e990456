import type { EventOf } from '../../../src/index.ts';
import { decode } from '../../support/agent.ts';
import { settled } from '../../support/flows.ts';
import type { Mistake } from './mistake.ts';
import { browser } from './party.ts';
import { secret, type World } from './world.ts';

/** What the JSON of a problem says, as far as it is looked at. */
export interface Told {
  readonly code: string;
  readonly reason: string;
  readonly title: string;
  readonly why: string;
  readonly certainty: string;
  readonly sent?: string;
  readonly expected?: readonly { readonly value: string; readonly differs: string }[];
  readonly fixes: readonly { readonly text: string; readonly apply?: { readonly label: string } }[];
  readonly references: readonly { readonly name: string }[];
}

/** The explanation of one request, as JSON and as a page. */
export interface Judged {
  readonly requestId: string;
  readonly told: Told;
  readonly html: string;
}

/** Makes the mistake, and reads what the dashboard says of the last refusal. */
export async function commit(world: World, mistake: Mistake): Promise<Judged> {
  const { lastId } = world.sandbox.events;
  // what the library threw is what developers see too late: the page has to say more
  await mistake.make(world, mistake.me).catch(() => undefined);
  await settled(world.sandbox);
  const refusal = refusalsAfter(world, lastId)[0];
  const requestId = refusal?.requestId ?? (await silentFailure(world, mistake.code));
  return { requestId, told: await explanationOf(world, requestId), html: await pageOf(world, requestId) };
}

/** Newest first. */
export function refusalsAfter({ sandbox: { events } }: World, id: number): readonly EventOf<'error.returned'>[] {
  return events.latest('error.returned', 20).filter(event => event.id > id);
}

/** Where nothing was refused, a detector may have seen it. */
async function silentFailure(world: World, code: string): Promise<string> {
  const answer = await fetch(`${world.sandbox.url}/dashboard/api/v1/problems`);
  const { problems } = (await answer.json()) as { problems: { code: string; id: string }[] };
  const found = problems.find(problem => problem.code === code);
  if (found === undefined) throw new Error(`nothing was refused, and no detector says ${code}`);
  return found.id;
}

async function explanationOf(world: World, id: string): Promise<Told> {
  const answer = await fetch(`${world.sandbox.url}/dashboard/api/v1/problems/${id}`);
  if (!answer.ok) throw new Error(`the explanation of ${id} answers ${answer.status}`);
  return (await answer.json()) as Told;
}

async function pageOf(world: World, id: string): Promise<string> {
  const page = await browser(world).open(`${world.sandbox.url}/dashboard/problems/${id}`);
  if (page.status !== 200) throw new Error(`the page of ${id} answers ${page.status}`);
  return page.html;
}

/** The text of the parts of a page that have this class, or this `data-testid`. */
export function textIn(html: string, tag: string, name: string): string {
  const found = html.matchAll(
    new RegExp(`<${tag}\\b[^>]*(?:class|data-testid)="${name}"[^>]*>([\\s\\S]*?)</${tag}>`, 'g'),
  );
  return [...found].map(([, inner = '']) => decode(inner.replace(/<[^>]+>/g, ''))).join('\n');
}

/** The text as a page shows it: backticks become code elements. */
function shown(text: string): string {
  return text.replaceAll('`', '');
}

/** Whether an explanation has each thing it must have. */
export interface Verdict {
  readonly name: string;
  readonly namesCause: boolean;
  readonly namesBothValues: boolean;
  readonly isComplete: boolean;
  readonly isOnPage: boolean;
  readonly keepsSecrets: boolean;
}

export function judge({ told, html }: Judged, mistake: Mistake): Verdict {
  const { sent = '', expected = [], title, why, fixes, references, certainty } = told;
  const values = expected.map(({ value, differs }) => `${value} ${differs}`.trim());
  const compared = textIn(html, 'dl', 'compare');
  return {
    name: mistake.name,
    namesCause: told.reason === mistake.code && mistake.title.test(shown(title)) && mistake.why.test(shown(why)),
    namesBothValues:
      mistake.sent.test(sent) &&
      values.some(value => mistake.expected.test(value)) &&
      [sent, ...expected.map(({ value }) => value)].every(value => value !== '' && compared.includes(value)),
    isComplete:
      certainty === (mistake.likely === true ? 'likely' : 'certain') && fixes.length > 0 && references.length > 0,
    isOnPage:
      textIn(html, 'h1', 'problem-title').includes(shown(title)) &&
      textIn(html, 'p', 'problem-why').includes(shown(why)) &&
      textIn(html, 'span', `badge status ${certainty === 'certain' ? 'ok' : 'warn'}`).includes(certainty) &&
      fixes.every(({ text, apply }) => textIn(html, 'ol', 'remedies').includes(apply?.label ?? shown(text))) &&
      references.every(({ name }) => textIn(html, 'p', 'references').includes(name)),
    keepsSecrets: !JSON.stringify(told).includes(JSON.stringify(secret).slice(1, -1)) && !decode(html).includes(secret),
  };
}
