import type { Request, Response } from 'express';
import type { Lessons } from '../lessons.ts';
import { probeFromHere } from '../probe/call-api.ts';

/** A sent form of a lesson's page. */
export interface SentForm {
  readonly id: string;
  readonly form: URLSearchParams;
  readonly req: Request;
  readonly res: Response;
}

/** Runs the action of a button. Returns the place on the page to return to. */
export type LessonAction = (sent: SentForm) => Promise<string>;

/** Actions by the last part of the address. */
export function lessonActions(parts: Lessons): Readonly<Record<string, LessonAction>> {
  return { ...progressActions(parts), ...serverActions(parts), ...labActions(parts) };
}

/** Actions of a learner in a lesson. */
function progressActions({ runs, desk }: Lessons): Readonly<Record<string, LessonAction>> {
  async function begin(how: 'start' | 'reset', { id, req, res }: SentForm): Promise<string> {
    const progress = await runs[how](id, desk.learnerOf(req));
    if (progress !== undefined) res.append('Set-Cookie', desk.setCookie(progress.learner));
    return '';
  }
  return {
    start: sent => begin('start', sent),
    reset: sent => begin('reset', sent),
    async again({ id, form, req }) {
      const run = runs.run(id, desk.learnerOf(req));
      const task = form.get('task') ?? '';
      run?.again(task);
      await run?.lab?.defend(task === 'again');
      return `task-${task}`;
    },
    async answer({ id, form, req }) {
      runs.run(id, desk.learnerOf(req))?.answer(form.get('question') ?? '', form.get('option') ?? '');
      return `quiz-${form.get('question') ?? ''}`;
    },
    async hint({ id, form, req }) {
      const [task, part] = [form.get('task') ?? '', form.get('part') ?? ''];
      if (runs.mayOpenHints() && /^(\d|solution)$/.test(part))
        runs.opened(desk.learnerOf(req)).add(`${id}/${task}/${part}`);
      return `task-${task}`;
    },
  };
}

const longestUrl = 2000;

/** Actions of a lesson for its learner: it calls their API, and holds responses of their issuer. */
function serverActions({ runs, desk, callApi }: Lessons): Readonly<Record<string, LessonAction>> {
  return {
    async probe({ id, form, req }) {
      const run = runs.run(id, desk.learnerOf(req));
      if (run?.probe === undefined) return 'probe';
      run.apiUrl = (form.get('url') ?? '').trim().slice(0, longestUrl);
      await probeFromHere(run.probe, callApi, run.apiUrl, form.get('what') === 'rotated' ? 'rotated' : 'tokens');
      return 'probe';
    },
    async hold({ id, form, req }) {
      const breakpoints = await runs.run(id, desk.learnerOf(req))?.breakpoints.get();
      if (form.get('hold') === 'on') breakpoints?.set({ endpoint: 'redirect' });
      else breakpoints?.clear();
      return 'breakpoint';
    },
    async continue({ id, form, req }) {
      const breakpoints = runs.run(id, desk.learnerOf(req))?.breakpoints.current();
      breakpoints?.continue(form.get('request') ?? undefined);
      return 'breakpoint';
    },
  };
}

/** The buttons of a lab. */
function labActions({ runs, desk }: Lessons): Readonly<Record<string, LessonAction>> {
  return {
    async attack({ id, form, req }) {
      const step = form.get('step') ?? undefined;
      const lab = runs.run(id, desk.learnerOf(req))?.lab;
      await lab?.attack(step);
      const round = lab?.isDefended() === true ? 'again' : 'attack';
      return step === undefined ? `task-${round}` : `${round}-${step}`;
    },
    async defend({ id, form, req }) {
      const isDefended = form.get('defended') === 'on';
      await runs.run(id, desk.learnerOf(req))?.lab?.defend(isDefended);
      return isDefended ? 'task-again' : 'task-attack';
    },
  };
}
