import { recordIn } from '../../base/text/record.ts';
import type { Answered } from './ask.ts';
import { CommandFailure } from './command.ts';
import { printable } from './discovery.ts';

/**
 * Makes the failure for an unwanted answer (RFC 6749 §5.2, RFC 9457). `asked` names the request, such as `the token endpoint`.
 * `advice` has a sentence for each error code.
 */
export function refusalOf(
  asked: string,
  { status, text }: Answered,
  advice: Readonly<Record<string, string>>,
  otherwise = '',
): CommandFailure {
  const body = recordIn(text) ?? {};
  const said = (name: string) => (typeof body[name] === 'string' ? printable(body[name]) : '');
  const error = said('error') || said('title');
  const description = said('error_description') || said('detail');
  const values = said('expected') === '' ? '' : `; received ${said('sent')}, expected ${said('expected')}`;
  const reason = `${asked} answered ${status}${sentence(error, description + values)}`;
  return new CommandFailure(reason, 1, adviceFor(advice[error] ?? otherwise, said('error_uri')));
}

/** Makes the failure for an unwanted answer of the control API. */
export function controlRefusal(asked: string, answered: Answered): CommandFailure {
  const advice = 'The sandbox requires its CONTROL_TOKEN: set the same variable here, or use --control-token.';
  return refusalOf(asked, answered, {}, answered.status === 401 ? advice : '');
}

/** Makes the failure for an error at the redirect URI (RFC 6749 §4.1.2.1). */
export function redirectedRefusal(
  asked: string,
  parameters: URLSearchParams,
  advice: Readonly<Record<string, string>>,
): CommandFailure {
  const said = (name: string) => printable(parameters.get(name) ?? '');
  const reason = `${asked} refused${sentence(said('error'), said('error_description'))}`;
  return new CommandFailure(reason, 1, adviceFor(advice[said('error')] ?? '', said('error_uri')));
}

function sentence(error: string, description: string): string {
  return [error, description].filter(part => part !== '').reduce((all, part) => `${all}: ${part}`, '');
}

function adviceFor(advice: string, uri: string): string {
  const explained = uri === '' ? '' : `Explanation and fix: ${uri}`;
  return [advice, explained].filter(part => part !== '').join(' ');
}
