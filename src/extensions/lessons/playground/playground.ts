import type { Request, Response, Router } from 'express';
import { formOf } from '../../../dashboard/form.ts';
import { cookieSuffix, readCookie } from '../../../server/http/cookies.ts';
import { rawQuery } from '../../../server/http/read-parameters.ts';
import { addCallback, addClient, canGoTo, choices, clientOf, defaultChoice } from './choices.ts';
import { answerOf, follow, leave, receive, sendStep, stepNumber } from './engine.ts';
import type { Grant } from './grant.ts';
import { grants, removed } from './grants.ts';
import { grantPage } from './page.ts';
import { elsewhere, issuerModel } from './ready.ts';
import type { PlaygroundOptions, PlaygroundRoom } from './room.ts';
import {
  type AnswerKind,
  type Chosen,
  createStates,
  editsOf,
  newState,
  type PlaygroundState,
  type Visitor,
} from './states.ts';

/** The requesting visitor, whose browser gets a cookie if it has none. */
type VisitorOf = (req: Request, res: Response) => Visitor;

/** The pages below `/playground`: every grant step by step, with real requests to this sandbox. */
export function playgroundPages(router: Router, options: PlaygroundOptions): void {
  const { desk } = options;
  const at = `${desk.base}/playground`;
  const room: PlaygroundRoom = { ...options, at, callback: `${desk.issuer}/playground/callback` };
  const states = createStates();
  const cookie = `grantbox_playground${cookieSuffix(desk.issuer)}`;
  const visitorOf: VisitorOf = (req, res) => {
    const known = states.of(readCookie(req, cookie));
    if (known !== undefined) return known;
    const visitor = states.open();
    const secure = desk.issuer.startsWith('https:');
    res.cookie(cookie, visitor.id, { httpOnly: true, sameSite: 'lax', secure, path: at });
    return visitor;
  };
  router.get('/', (_req, res) => {
    const model = { at, grants, removed, sheet };
    return desk.show(res, { template: 'playground', title: 'Playground', nav: 'playground', model });
  });
  router.get('/callback', (req, res) => res.redirect(303, at + arrive(room, visitorOf(req, res), req)));
  grantRoutes(router, room, visitorOf);
}

/** Passes the parameters at the callback to the state that waits for them; returns the path to show. */
function arrive(room: PlaygroundRoom, { states }: Visitor, req: Request): string {
  const arrived = answerOf(new URLSearchParams(rawQuery(req)));
  const waiting = [...states.values()].filter(state => state.grant.steps[state.step]?.by === 'return');
  const state = waiting.find(({ values }) => values.get('state') === arrived.get('state')) ?? waiting.at(-1);
  if (state === undefined) return '';
  receive(room, state, arrived);
  return `/${state.grant.id}#answer`;
}

function grantRoutes(router: Router, room: PlaygroundRoom, visitorOf: VisitorOf): void {
  const { at } = room;
  for (const grant of grants) {
    router.get(`/${grant.id}`, async (req, res) => {
      const { id, states } = visitorOf(req, res);
      const query = new URLSearchParams(rawQuery(req));
      const state = (query.size === 0 ? states.get(grant.id) : undefined) ?? openState(room, grant, query);
      keep(states, state);
      if (query.size > 0)
        return res.redirect(303, (await elsewhere(room, id, { state, open: false })) ?? `${at}/${grant.id}`);
      await showGrant(room, state, res);
    });
    router.post(`/${grant.id}`, async (req, res) => {
      const { id, states } = visitorOf(req, res);
      const state = states.get(grant.id) ?? openState(room, grant, new URLSearchParams());
      const typed = await formOf(req);
      const fragment = await changeState(room, state, typed);
      const isNew = typed.has('restart') || typed.has('choose');
      const now = isNew ? openState(room, grant, chosenIn(state, typed)) : state;
      keep(states, now);
      const left = typed.has('leave') ? await leave(room, now) : undefined;
      const open = typed.has('choose') || typed.has('open-issuer');
      res.redirect(303, (await elsewhere(room, id, { state: now, open })) ?? left ?? `${at}/${grant.id}${fragment}`);
    });
  }
}

/** A separate stylesheet, because the size of the shared one is limited. */
const sheet = 'playground.css';

function keep(states: Visitor['states'], state: PlaygroundState): void {
  states.delete(state.grant.id);
  states.set(state.grant.id, state); // the newest is last
}

/** The starting state that an address describes: `?client=…&user=…&scope=…&redirect=…&step=2&remove=…&wrong=…&set.name=…&step=3…`. */
function openState(room: PlaygroundRoom, grant: Grant, query: URLSearchParams): PlaygroundState {
  const fallback = defaultChoice(room, grant, query.get('client') ?? undefined);
  const accounts = [...room.desk.accounts()].map(({ sub }) => sub);
  const user = accounts.find(sub => sub === query.get('user')) ?? fallback.user;
  const scope = query.get('scope') ?? fallback.scope;
  const state = begin(room, grant, { client_id: fallback.client_id, user, scope }, query.get('redirect') ?? '');
  let step = stepNumber(grant, query.get('step'));
  for (const [key, value] of query) {
    if (key === 'step') step = stepNumber(grant, value);
    const { removed, wrong, typed } = editsOf(state, grant.steps[step]?.id ?? '');
    if (key === 'remove') removed.add(value);
    if (key === 'wrong') wrong.add(value);
    if (key.startsWith('set.')) typed.set(key.slice('set.'.length), value.slice(0, mostTyped));
  }
  return state;
}

/** A new state, whose answer goes to the asked address if the client allows it, and otherwise to this page. */
function begin(room: PlaygroundRoom, grant: Grant, chosen: Chosen, asked: string): PlaygroundState {
  if (canGoTo(clientOf(room, chosen.client_id), asked)) return newState(grant, chosen, asked);
  const state = newState(grant, chosen, room.callback);
  if (asked !== '' && asked !== room.callback) state.refusedRedirect = asked.slice(0, mostTyped);
  return state;
}

function chosenIn({ client_id, user, scope, values }: PlaygroundState, typed: URLSearchParams): URLSearchParams {
  if (!typed.has('choose')) {
    const redirect = values.get('redirect_uri') ?? '';
    return new URLSearchParams({ client: client_id, user, scope, redirect });
  }
  const client = typed.get('client') ?? client_id;
  const redirect = typed.get('answer-to') === 'app' ? (typed.get('redirect') ?? '').trim() : '';
  const chosen = new URLSearchParams({ client, user: typed.get('user') ?? user, redirect });
  // a different client may be registered for different scopes
  if (client === client_id) chosen.set('scope', typed.get('scope') ?? scope);
  return chosen;
}

async function showGrant(room: PlaygroundRoom, state: PlaygroundState, res: Response): Promise<void> {
  follow(room, state);
  if (room.home !== undefined && choices(room, state).needsCallback) await addCallback(room, state.client_id);
  const model = { ...(await grantPage(room, state)), ...choices(room, state), ...issuerModel(room, state), sheet };
  const title = `${state.grant.title} · Playground`;
  if (state.values.get('redirect_uri') !== room.callback) letLeave(res);
  await room.desk.show(res, { template: 'playground-grant', title, nav: 'playground', model });
}

/** The server may redirect to the app of the learner at once, which Chromium takes for a target of the form. */
function letLeave(res: Response): void {
  const policy = String(res.getHeader('Content-Security-Policy') ?? '');
  res.set('Content-Security-Policy', policy.replace(/form-action [^;]*;? ?/, ''));
}

/** Characters of a value that is typed. */
const mostTyped = 8000;

/** Does what a button asks for; answers with the fragment to show. */
async function changeState(room: PlaygroundRoom, state: PlaygroundState, typed: URLSearchParams): Promise<string> {
  const { grant } = state;
  if (typed.has('add-client')) {
    state.client_id = await addClient(room, grant);
    typed.set('choose', '1');
    typed.set('client', state.client_id);
    typed.delete('scope');
    state.scope = grant.scope;
    return '';
  }
  if (typed.has('add-callback')) {
    await addCallback(room, state.client_id);
    return '';
  }
  if (typed.has('go')) {
    state.step = stepNumber(grant, typed.get('go'));
    return '';
  }
  edit(state, typed);
  const changed = ['remove', 'wrong', 'restore'].flatMap(button => typed.get(button) ?? []);
  if (!typed.has('send')) return changed.length === 0 ? '#request' : `#field-${encodeURIComponent(changed.join())}`;
  await sendStep(room, state);
  return '#answer';
}

function edit(state: PlaygroundState, typed: URLSearchParams): void {
  const step = state.grant.steps[state.step];
  if (step === undefined) return;
  const { removed, wrong, typed: values } = editsOf(state, step.id);
  for (const [key, value] of typed) {
    if (key.startsWith('was.')) {
      const name = key.slice(4);
      const now = typed.get(`value.${name}`);
      if (now !== null && now !== value) values.set(name, now.slice(0, mostTyped));
    }
  }
  const named = (button: string) => typed.get(button) ?? '';
  if (typed.has('remove')) removed.add(named('remove'));
  if (typed.has('wrong')) wrong.add(named('wrong'));
  if (typed.has('restore')) for (const each of [removed, wrong, values]) each.delete(named('restore'));
  const guess = typed.get('prediction');
  if (isOutcome(guess)) state.predictions.set(step.id, guess);
  else if (guess === '') state.predictions.delete(step.id);
}

function isOutcome(text: string | null): text is AnswerKind {
  return text === 'accepted' || text === 'request' || text === 'caller';
}
