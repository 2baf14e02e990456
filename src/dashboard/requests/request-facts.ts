import { isIssued, usedToken } from '../../base/events/event-memory.ts';
import { headerOf } from '../../base/events/exchange.ts';
import type { Actor } from '../../record/flows/flow.ts';
import { callerOf } from '../../record/flows/hosts.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import type { Refusal } from '../../record/problems/problem.ts';
import type { PageContext } from '../page.ts';

export type RequestFacts = ReturnType<ReturnType<typeof createFactsOf>>;

/** Headers of requests that the dashboard sends, and of replays. */
export const toolHeader = 'Grantbox-Tool';
export const replayHeader = 'Grantbox-Replay-Of';

const actors = { browser: 'browser', backend: 'client', tool: 'tool' } as const;

/** Reads the facts of requests. Create one for each response, because it keeps them: a search asks for them several times. */
export function createFactsOf(context: PageContext) {
  const { events, flows } = context;
  const known = new Map<Completed, ReturnType<typeof read>>();

  function read(event: Completed) {
    const { requestId, exchange } = event;
    const flow = flows.ofRequest(requestId);
    const happened = events.ofRequest(requestId);
    return {
      ...namesIn(happened),
      // ids, by raw value, of the codes and tokens that the request issued, used or asked about, and of those they were issued from
      tokens: () => tokensIn(happened, context),
      get actor(): Actor {
        const step = flow?.steps.find(each => each.requestId === requestId);
        return step?.actor ?? actors[callerOf(exchange.requestHeaders)];
      },
      get replayOf() {
        return replayedBy(exchange.requestHeaders);
      },
      flow,
      // what an explanation reads; of several refusals the one of the answer itself, and not that of CORS
      get refused(): Refusal | undefined {
        const all = happened.filter(each => each.type === 'error.returned');
        const error = all.find(({ reason }) => !reason.startsWith('cors_')) ?? all[0];
        return error === undefined ? undefined : { error, request: event };
      },
      happened,
    };
  }

  return (event: Completed) => {
    const facts = known.get(event) ?? read(event);
    known.set(event, facts);
    return facts;
  };
}

type Happened = ReturnType<PageContext['events']['ofRequest']>;

function tokensIn(happened: Happened, { events }: PageContext): ReadonlyMap<string, string> {
  const ids = happened.flatMap(each => (isIssued(each) ? [each.tokenId, each.parentTokenId] : [usedToken(each)]));
  const issued = ids.flatMap(id => (id === undefined ? [] : (events.issued(id) ?? [])));
  return new Map(issued.map(({ token, tokenId }) => [token, tokenId]));
}

function namesIn(happened: Happened) {
  const first = (name: 'client_id' | 'sub') => {
    const event = happened.find(each => name in each) as { readonly [name]?: string } | undefined;
    return event?.[name];
  };
  const [client_id, sub] = [first('client_id'), first('sub')];
  const refusal = happened.find(each => each.type === 'error.returned');
  const grant_type = happened.find(each => each.type === 'token.requested')?.grant_type;
  return {
    // the first refusal if there are several, and the grant requested at the token endpoint
    client_id,
    sub,
    refusal,
    grant_type,
    tokenIds: happened.flatMap(each => (isIssued(each) ? [each.tokenId] : [])),
  };
}

/** Anybody can send the header, so it is only a hint. */
function replayedBy(headers: string): string | undefined {
  const sent = headerOf(headers, replayHeader);
  return sent !== undefined && /^req_[\w-]{1,60}$/.test(sent) ? sent : undefined;
}
