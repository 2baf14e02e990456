/** An event in words, for the page of its request. */
export interface EventWords {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The page of the dashboard with more about the event. */
  readonly tokenId?: string;
  /** The pages where a user decides, for this browser and for a phone. */
  readonly decide?: { readonly href: string; readonly qr?: string };
}

/** A sentence with facts, of which the empty ones are left out. */
export function say(title: string, facts: Readonly<Record<string, string | undefined>>): EventWords {
  const told = Object.entries(facts).filter(
    (fact): fact is [string, string] => fact[1] !== undefined && fact[1] !== '',
  );
  return { title, facts: told };
}
