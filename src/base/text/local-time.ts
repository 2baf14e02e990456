/** `14:03:10` in the time zone of the process, after the date if that is not the date of `now`. Both in Unix milliseconds. */
export function localTime(at: number, now: number): string {
  const [date, time] = dateAndTime(at);
  return date === dateAndTime(now)[0] ? time : `${date} ${time}`;
}

function dateAndTime(at: number): readonly [date: string, time: string] {
  const iso = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();
  return [iso.slice(0, 10), iso.slice(11, 19)];
}
