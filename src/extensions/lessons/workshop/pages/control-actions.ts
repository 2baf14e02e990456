import { secondsIn } from '../../../../base/text/duration.ts';
import type { Controls } from '../controls.ts';
import type { Seats } from '../seats.ts';

/** Does what a form asks for; the sentence says why it could not be done. */
export type ControlAction = (form: URLSearchParams, room: ControlledRoom) => Promise<string | undefined>;

export interface ControlledRoom {
  readonly seats: Seats;
  readonly controls: Controls;
  /** Whether the history of the trainer has a flow. */
  hasFlow(id: string): boolean;
}

/** The buttons of the trainer by the last segment of their addresses. */
export const controlActions: Readonly<Record<string, ControlAction>> = {
  async hold(form, { controls }) {
    await controls.hold(endpoints.find(each => each === form.get('endpoint')) ?? 'token');
    return undefined;
  },
  async 'let-go'(_form, { controls }) {
    await controls.letGo();
    return undefined;
  },
  async unhold(_form, { controls }) {
    await controls.unhold();
    return undefined;
  },
  clocks: async (form, { controls }) => moveClocks(form, controls),
  async hint(form, { controls }) {
    const [, lesson, task, part] = /^([\w-]+)\/([\w-]+)\/(\d|solution)$/.exec(form.get('hint') ?? '') ?? [];
    if (lesson === undefined || task === undefined || part === undefined) return 'Choose a hint first.';
    await controls.releaseHint(lesson, task, part);
    return undefined;
  },
  async 'keep-hints'(form, { controls }) {
    controls.keepHints(form.get('keep') === 'on');
    return undefined;
  },
  async show(form, { controls, hasFlow }) {
    const flow = form.get('flow') ?? '';
    if (flow !== '' && !hasFlow(flow)) return 'The history does not have this flow any more.';
    controls.show(flow === '' ? undefined : flow);
    return undefined;
  },
  async reset(form, { seats }) {
    const seat = seats.get(form.get('seat') ?? '');
    if (seat === undefined) return 'No seat has this name.';
    const lesson = form.get('lesson') ?? '';
    if (lesson === '') await seats.put(seat.key);
    else (await seat.place.lessons()).runs.forgetLesson(lesson, seat.name);
    return undefined;
  },
  async end(form, { seats }) {
    seats.end(form.get('seat') ?? '');
    return undefined;
  },
};

/** Where a teacher stops; the words are on the page. */
const endpoints = ['token', 'redirect', 'authorize', 'api', 'any'];

const aYear = 31_536_000;

function moveClocks(form: URLSearchParams, controls: Controls): string | undefined {
  const action = form.get('action') ?? '';
  if (action === 'freeze' || action === 'resume' || action === 'reset') {
    controls.moveClocks(action);
    return undefined;
  }
  const seconds = secondsIn(form.get('by'));
  if (seconds === undefined || Math.abs(seconds) > aYear) return 'This is not a step of time: type 5m, 1h or -90s.';
  controls.moveClocks({ seconds });
  return undefined;
}
