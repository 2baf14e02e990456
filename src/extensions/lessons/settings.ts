import { filePath, hostNames, onOff, wholeNumber } from '../../sandbox/config/formats.ts';
import type { ConfigProblem } from '../../sandbox/config/problem.ts';
import { type ConfiguredBy, setting } from '../../sandbox/config/setting.ts';
import { readOwn, readSetting, type SettingSources } from '../../sandbox/config/setting-values.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';

export const lessonSettings = {
  /** Offers lessons at `/lessons`, which check themselves by the requests of the learner. Default: true. */
  lessons: setting(
    onOff,
    true,
    'Offers lessons at /lessons and in the control API; `off` leaves out the pages, the operations and the navigation',
    { isWhole: true },
  ),
  /**
   * Number of seats of a workshop: learners get a sandbox each at `/join`, and the trainer watches the board at `/room`.
   * Default: no workshop.
   */
  workshop: setting(
    wholeNumber(1, 60),
    undefined,
    'Seats of a workshop: learners get a sandbox each at /join, and CONTROL_TOKEN, or a key printed at the start, opens the board at /room',
    { isWhole: true, defaultText: 'no workshop', notShared: 'the seats of a room are in one process' },
  ),
  /**
   * File in which a room is saved each minute, and from which it is restored at the start. It is a secret. Default: with `STATE_FILE`,
   * a file beside it; otherwise none.
   */
  workshopFile: setting(
    filePath,
    undefined,
    'File with a room and the keys of its seats, a secret: saved each minute and at the end, read at the start',
    { isWhole: true, isPath: true, defaultText: 'beside the state file, or none' },
  ),
  /**
   * Host names and addresses that the issuers of seats may call: for webhooks, keys, client metadata, logout notices and
   * pings. `OUTBOUND` applies to them, too. Default: none.
   */
  workshopHosts: setting(
    hostNames,
    [],
    'Hosts that the seats of a workshop may call, for webhooks, client keys, client metadata, logout notices and pings',
    { isWhole: true, defaultText: 'none' },
  ),
  /**
   * The most seats that are taken from one address of the network. Requests from this machine, and the trainer, are not
   * counted. Default: half of the seats.
   */
  workshopSeatsPerAddress: setting(
    wholeNumber(1, 60),
    undefined,
    'The most seats of a workshop that one network address takes; raise it behind a proxy or NAT',
    { isWhole: true, defaultText: 'half of the seats' },
  ),
};

declare module '../../sandbox/config/extension-tables.ts' {
  interface ExtensionTables {
    readonly lessons: typeof lessonSettings;
  }
}

export function learningSettings(config: object): ConfiguredBy<typeof lessonSettings> {
  return ownSettings<typeof lessonSettings>(config);
}

/** The file in which the room is kept; undefined without a room, or without a file. */
export function roomFileOf(config: object): string | undefined {
  const { workshop, workshopFile } = learningSettings(config);
  const stateFile =
    'stateFile' in config && typeof config.stateFile === 'string' ? `${config.stateFile}.room` : undefined;
  return workshop === undefined ? undefined : (workshopFile ?? stateFile);
}

/** A workshop is made of the lessons, and its pages are beside the dashboard. */
export function workshopProblems(sources: SettingSources): ConfigProblem[] {
  if (readOwn(lessonSettings, 'workshop', sources).value === undefined) return [];
  const expected = 'on: a workshop (WORKSHOP) is made of the lessons and the dashboard';
  const lessons = readOwn(lessonSettings, 'lessons', sources);
  const dashboard = readSetting('dashboard', sources);
  return [
    ...(lessons.value ? [] : [{ source: lessons.source ?? '', value: 'off', expected }]),
    ...(dashboard.value === 'on' ? [] : [{ source: dashboard.source ?? '', value: dashboard.value, expected }]),
  ];
}
