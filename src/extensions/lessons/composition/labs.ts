import { Router } from 'express';
import { defined } from '../../../base/defined.ts';
import type { LabTokenLetThrough } from '../../../base/events/lesson-events.ts';
import { isRecord } from '../../../base/text/record.ts';
import { onFirstVisit } from '../../../sandbox/composition/pages-beside.ts';
import { optionsOf } from '../../../sandbox/composition/sample-backend/sample-backend.ts';
import type { Core } from '../../../sandbox/extension.ts';
import { sendToSelf } from '../../../sandbox/self-request.ts';
import type { Adapter } from '../../../server/http/adapter.ts';
import { jsonAnswer } from '../../../server/http/answer.ts';
import type { AppOptions } from '../../../server/http/app.ts';
import { asJson } from '../../../server/http/error-replies.ts';
import { mount, named } from '../../../server/http/mount.ts';
import { readJson } from '../../../server/http/read-json.ts';
import { tapResponse } from '../../../server/http/recording.ts';
import { contextOf } from '../../../server/http/request-context.ts';
import type { FetchKeys, LetThrough } from '../lab/api/careless.ts';
import type { LabState } from '../lab/lab.ts';

type LabPathParts = Core & { readonly adapter: Adapter };

/** The paths that only an issuer of a lab has, below `/labs`. They are read with the first request. */
export function labsOf(parts: LabPathParts): AppOptions['labs'] {
  const { lab } = parts;
  if (lab === undefined) return undefined;
  return onFirstVisit(() => labPaths(parts, lab));
}

async function labPaths(parts: LabPathParts, state: LabState): Promise<Router> {
  const router = Router({ caseSensitive: true });
  if (state.weak.api !== undefined) await mountApi(router, parts, state);
  const { createWebPages } = await import('../lab/web-pages.ts');
  router.use(createWebPages(parts.server.issuer, state));
  return router;
}

const mostKeys = 16 * 1024;

/** The API that labs attack, and the web server on which the attacker publishes keys. */
async function mountApi(router: Router, parts: LabPathParts, state: LabState): Promise<void> {
  const { createLabApi } = await import('../lab/api/lab-api.ts');
  const { server, adapter } = parts;
  const at = `${server.issuer}/labs/api`;
  const options = {
    ...optionsOf(parts),
    audience: [],
    isAskedFor: () => true, // so that aud is always compared
    identifiers: (name: string) => [at, `${at}/${name}`],
  };
  const fetchKeys = fetchKeysOf(parts);
  const api = createLabApi({
    ...{ state, options, fetchKeys },
    onLetThrough: (req, token, content) => contextOf(req).emit(letThrough(parts, token, content)),
  });
  router.use('/api', named('api'), tapResponse, api);
  let published: object = { keys: [] };
  mount(router, adapter, {
    name: 'labs',
    path: '/evil/jwks',
    form: asJson,
    GET: [adapter.answering(asJson, async () => jsonAnswer(200, published))],
    PUT: [
      adapter.answering(asJson, async req => {
        const sent = await readJson(req, { mostBytes: mostKeys });
        if (isRecord(sent)) published = sent;
        return jsonAnswer(200, published);
      }),
    ],
  });
}

const longest = 200;

function letThrough({ events }: Core, token: string, { header, claims }: LetThrough): LabTokenLetThrough {
  const issued = events.issuedAs(token);
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, longest) : undefined);
  const { sub, client_id, scope } = claims;
  return {
    type: 'lab.token_let_through',
    alg: header.alg.slice(0, longest),
    ...defined({ sub: text(sub), client_id: text(client_id), scope: text(scope), jku: text(header.jku) }),
    ...(issued?.type === 'token.issued' ? { tokenType: issued.tokenType } : {}),
    isForged: issued === undefined,
  };
}

/** Fetches from the web server of the attacker in this issuer, at the socket of this process. No other address is allowed. */
function fetchKeysOf(core: Core): FetchKeys {
  const url = `${core.server.issuer}/labs/evil/jwks`;
  const { host, pathname } = new URL(url);
  return async asked => {
    if (asked !== url) return undefined;
    const { body } = await sendToSelf(core, { method: 'GET', path: pathname, headers: { Host: host }, body: '' });
    return JSON.parse(body);
  };
}
