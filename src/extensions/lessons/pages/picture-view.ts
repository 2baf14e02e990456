import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';
import { badgeOf } from '../../../dashboard/status-badge.ts';
import type { LessonRun } from '../run/lesson-run.ts';
import { type PictureActor, type PictureStep, picture } from '../text/lesson-text.ts';

type Completed = EventOf<'request.completed'>;

/** A message that a request of the learner was. */
export interface PictureLight {
  readonly isNewest?: boolean;
  /** Absent if the request was not refused. */
  readonly why?: { readonly badge: ReturnType<typeof badgeOf>; readonly title: string; readonly href: string };
}

/** Endpoints that a browser visits. Those of clients are all others of a server, and the API has one of its own. */
const ofBrowser = new Set(['authorize', 'login', 'consent', 'device_verification', 'end_session']);
const ofClient = new Set(['token', 'userinfo', 'par', 'introspect', 'revoke', 'device_authorization', 'registration']);
/** Read by clients and by APIs. */
const ofAll = new Set(['discovery', 'jwks', 'resource_metadata']);

/** The picture of a lesson, with the messages that the learner's own requests have sent. */
export function pictureView(
  steps: readonly PictureStep[],
  names: Readonly<Record<PictureActor, string>>,
  run: LessonRun | undefined,
) {
  const drawn = picture(steps, names);
  const lights = run === undefined ? new Map<number, PictureLight>() : lightsOf(steps, run);
  return {
    lanes: drawn.lanes,
    isLive: run !== undefined,
    steps: drawn.steps.map((step, index) => ({ ...step, light: lights.get(index) })),
  };
}

/** A request belongs to the next message that it fits. One that comes again begins there anew. */
function lightsOf(steps: readonly PictureStep[], run: LessonRun): ReadonlyMap<number, PictureLight> {
  let lights: readonly (readonly [index: number, light: PictureLight])[] = [];
  let at = -1;
  for (const event of run.events().filter(isCompleted)) {
    const fits = steps.flatMap((step, index) => (isMessage(step, event) ? [index] : []));
    const index = fits.find(each => each > at) ?? fits.at(-1);
    if (index === undefined) continue;
    // the server tells the app before its own reply is written
    const told = steps[at]?.to === 'app' && at === index + 1 ? at : index;
    const earlier = lights.filter(([each]) => each < index || (each === told && told !== index));
    const sent = [index, ...repliesTo(steps, index)];
    const light = lightOf(event, run);
    lights = [
      ...earlier.map(([each, { isNewest: _, ...old }]) => [each, old] as const),
      ...sent.map((each, nth) => [each, nth === 0 && sent.length > 1 ? { isNewest: true } : light] as const),
    ];
    at = told;
  }
  return new Map(lights);
}

/** The refusal is at the reply, or at the message itself if the picture has no reply. */
function lightOf({ requestId, status }: Completed, run: LessonRun): PictureLight {
  const refusal = run.refusals().find(each => each.requestId === requestId);
  if (refusal === undefined && status < 400) return { isNewest: true };
  const page = refusal === undefined ? 'requests' : 'problems';
  const badge = badgeOf({ status }, undefined);
  const why = { badge, href: `${run.issuer}/dashboard/${page}/${requestId}`, title: refusal?.title ?? 'Refused' };
  return { isNewest: true, why };
}

function isCompleted(event: SandboxEvent): event is Completed {
  return event.type === 'request.completed';
}

function isMessage({ from, to, has = '' }: PictureStep, { endpoint, method, exchange }: Completed): boolean {
  const isPair =
    endpoint === 'api'
      ? to === 'api'
      : endpoint === 'demo_app'
        ? to === 'app'
        : to === 'server' &&
          ((ofBrowser.has(endpoint) && (from === 'browser' || from === 'mallory')) ||
            (ofClient.has(endpoint) && (from !== 'browser' || has !== '')) ||
            ((ofAll.has(endpoint) || (endpoint === 'control' && has !== '')) && (from === 'client' || from === 'api')));
  const { url, requestHeaders, requestBody } = exchange;
  return isPair && `${method} ${url}\n${requestHeaders}\n${requestBody?.text ?? ''}`.includes(has);
}

/** The messages that go back before the same sender sends something again. */
function repliesTo(steps: readonly PictureStep[], index: number): readonly number[] {
  const { from, to } = steps[index] ?? {};
  const end = steps.findIndex((step, at) => at > index && step.from === from);
  return steps.flatMap((step, at) =>
    at > index && (end === -1 || at < end) && step.from === to && step.to === from ? [at] : [],
  );
}
