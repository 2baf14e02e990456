import type { Request, Response, Router } from 'express';
import { formOf } from '../dashboard/form.ts';
import { cookieSuffix, readCookie } from '../http/cookies.ts';
import { rawQuery } from '../http/read-parameters.ts';
import { changeState } from './actions.ts';
import { choices, defaultChoice } from './choices.ts';
import { receive, stepNumber } from './engine.ts';
import type { Grant } from './grant.ts';
import { grants, removed } from './grants.ts';
import { grantPage } from './page.ts';
import type { PlaygroundOptions, PlaygroundRoom } from './room.ts';
import { createStates, editsOf, newState, type PlaygroundState } from './states.ts';

/** The states of one browser by grant; the newest is last. */
type BrowserStates = Map<string, PlaygroundState>;

/** The states of the browser that asks. It gets a cookie where it has none. */
type StatesOf = (req: Request, res: Response) => BrowserStates;

/** The pages below `/playground`: every grant step by step, with real requests to this sandbox. */
export function playgroundPages(router: Router, options: PlaygroundOptions): void {
  const { desk } = options;
  const at = `${desk.base}/playground`;
  const room: PlaygroundRoom = { ...options, at, callback: `${desk.issuer}/playground/callback` };
  const states = createStates();
  const cookie = `grantbox_playground${cookieSuffix(desk.issuer)}`;
  const statesOf: StatesOf = (req, res) => {
    const known = states.of(readCookie(req, cookie));
    if (known !== undefined) return known;
    const { id, mine } = states.open();
    const secure = desk.issuer.startsWith('https:');
    res.cookie(cookie, id, { httpOnly: true, sameSite: 'lax', secure, path: at });
    return mine;
  };
  router.get('/', (_req, res) => {
    const model = { at, grants, removed, sheet };
    return desk.show(res, { template: 'playground', title: 'Playground', nav: 'playground', model });
  });
  router.get('/callback', (req, res) => res.redirect(303, at + arrive(room, statesOf(req, res), req)));
  grantRoutes(router, room, statesOf);
}

/** Gives what arrived to the state that waits for it; answers with the path to show. */
function arrive(room: PlaygroundRoom, mine: BrowserStates, req: Request): string {
  const arrived = new URLSearchParams(rawQuery(req));
  const waiting = [...mine.values()].filter(state => state.grant.steps[state.step]?.by === 'return');
  const state = waiting.find(({ values }) => values.get('state') === arrived.get('state')) ?? waiting.at(-1);
  if (state === undefined) return '';
  receive(room, state, arrived);
  return `/${state.grant.id}#answer`;
}

function grantRoutes(router: Router, room: PlaygroundRoom, statesOf: StatesOf): void {
  const { at } = room;
  for (const grant of grants) {
    router.get(`/${grant.id}`, async (req, res) => {
      const mine = statesOf(req, res);
      const query = new URLSearchParams(rawQuery(req));
      const state = (query.size === 0 ? mine.get(grant.id) : undefined) ?? openState(room, grant, query);
      keep(mine, state);
      if (query.size > 0) return res.redirect(303, `${at}/${grant.id}`);
      await showGrant(room, state, res);
    });
    router.post(`/${grant.id}`, async (req, res) => {
      const mine = statesOf(req, res);
      const state = mine.get(grant.id) ?? openState(room, grant, new URLSearchParams());
      const typed = await formOf(req);
      const fragment = await changeState(room, state, typed);
      const isNew = typed.has('restart') || typed.has('choose');
      keep(mine, isNew ? openState(room, grant, chosenIn(state, typed)) : state);
      res.redirect(303, `${at}/${grant.id}${fragment}`);
    });
  }
}

/** Its own stylesheet, because the stylesheet of all pages has a budget. */
export const sheet = 'playground.css';

function keep(mine: BrowserStates, state: PlaygroundState): void {
  mine.delete(state.grant.id);
  mine.set(state.grant.id, state); // the newest is last
}

/** The starting state that an address describes: `?client=…&user=…&scope=…&step=2&remove=…&wrong=…`. */
function openState(room: PlaygroundRoom, grant: Grant, query: URLSearchParams): PlaygroundState {
  const fallback = defaultChoice(room, grant, query.get('client') ?? undefined);
  const user = query.get('user') ?? fallback.user;
  const scope = query.get('scope') ?? fallback.scope;
  const state = newState(grant, { client_id: fallback.client_id, user, scope }, room.callback);
  const step = grant.steps[stepNumber(grant, query.get('step'))];
  if (step === undefined) return state;
  for (const name of query.getAll('remove')) editsOf(state, step.id).removed.add(name);
  for (const name of query.getAll('wrong')) editsOf(state, step.id).wrong.add(name);
  return state;
}

function chosenIn({ client_id, user, scope }: PlaygroundState, typed: URLSearchParams): URLSearchParams {
  if (typed.has('restart')) return new URLSearchParams({ client: client_id, user, scope });
  const client = typed.get('client') ?? client_id;
  const chosen = new URLSearchParams({ client, user: typed.get('user') ?? user });
  // another client may not be registered for the same scopes
  if (client === client_id) chosen.set('scope', typed.get('scope') ?? scope);
  return chosen;
}

async function showGrant(room: PlaygroundRoom, state: PlaygroundState, res: Response): Promise<void> {
  const model = { ...(await grantPage(room, state)), ...choices(room, state), sheet };
  const title = `${state.grant.title} · Playground`;
  await room.desk.show(res, { template: 'playground-grant', title, nav: 'playground', model });
}
