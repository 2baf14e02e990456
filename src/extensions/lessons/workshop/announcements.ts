import type { PageNotice } from '../../../sandbox/extension.ts';

export interface AnnouncementsParts {
  /** The path of the first issuer. */
  readonly room: string;
  /** Called after each change that a board may show. */
  changed(): void;
  /** Other news for the pages of learners: a held response, a flow that the trainer shows. */
  others(): Pick<Told, 'holding' | 'shown'>;
}

/** Messages between the trainer and the learners, which the pages of the seats and the board show. */
export function createAnnouncements({ room, changed, others }: AnnouncementsParts) {
  let message = '';
  let lesson: CalledLesson | undefined;
  /** Names of seats, in the order in which the hands were raised. */
  const hands = new Set<string>();

  return {
    saved: () => ({ message, lesson, hands: [...hands] }),
    restore(saved: SavedAnnouncements): void {
      ({ message, lesson } = saved);
      for (const seat of saved.hands) hands.add(seat);
    },
    /** The words that each learner's page shows, empty for none. */
    message: () => message,
    say(words: string): void {
      message = words;
      changed();
    },
    /** The lesson in which everybody should be. */
    lesson: () => lesson,
    callTo(called: CalledLesson | undefined): void {
      lesson = called;
      changed();
    },
    /** The seats whose learners raise a hand, the first one first. */
    hands: (): readonly string[] => [...hands],
    raise(seat: string, isUp: boolean): void {
      if (isUp) hands.add(seat);
      else hands.delete(seat);
      changed();
    },
    /** The lines above each page of a seat. `home`: the path of its issuer. */
    noticesFor: (seat: string, home: string): readonly PageNotice[] =>
      noticesOf({ ...others(), message, lesson, isUp: hands.has(seat) }, { seat, home, room }),
  };
}

export interface SavedAnnouncements {
  readonly message: string;
  readonly lesson?: CalledLesson | undefined;
  readonly hands: readonly string[];
}

/** A lesson to which the trainer calls everybody. */
export interface CalledLesson {
  readonly id: string;
  readonly title: string;
}

/** Words for the responses that a trainer can hold, by the name of the breakpoint. */
export const holdWords: Readonly<Record<string, string>> = {
  token: 'token responses',
  redirect: 'redirects back to the client',
  authorize: 'authorization responses',
  api: 'responses of the sample API',
  any: 'every response',
};

/** The news on a page of a seat. */
interface Told {
  readonly message: string;
  readonly lesson: CalledLesson | undefined;
  readonly holding: string | undefined;
  readonly shown: string | undefined;
  readonly isUp: boolean;
}

interface ToldTo {
  readonly seat: string;
  readonly home: string;
  /** The path of the first issuer. */
  readonly room: string;
}

function noticesOf({ message, lesson, holding, shown, isUp }: Told, { seat, home, room }: ToldTo): PageNotice[] {
  const all: (PageNotice | undefined)[] = [
    message === '' ? undefined : { name: 'message', text: `Your trainer says: ${message}` },
    lesson && {
      name: 'lesson',
      text: `Everybody works at “${lesson.title}” now.`,
      link: { href: `${home}/lessons/${lesson.id}`, words: 'Go there' },
    },
    holding === undefined
      ? undefined
      : {
          name: 'held',
          text: `Your trainer holds responses: ${holdWords[holding]} wait, also in curl, until your trainer lets them go.`,
        },
    shown === undefined
      ? undefined
      : {
          name: 'shown',
          text: 'Your trainer shows a flow.',
          link: { href: `${room}/join/flow`, words: 'Look at it', isNew: true },
        },
    {
      name: 'hand',
      text: isUp ? `You are ${seat}, and your hand is up.` : `You are ${seat}.`,
      form: {
        action: `${room}/join/hand`,
        value: isUp ? 'down' : 'up',
        words: isUp ? 'Put it down' : 'Raise your hand',
      },
    },
  ];
  return all.filter(each => each !== undefined);
}
