const steps = '.seq > li:not(.never-reached, .omitted)';

/** The words of the steps that a sequence draws as recorded. */
export function recordedSteps(root: HTMLElement): ReadonlySet<string> {
  return new Set([...root.querySelectorAll(steps)].map(words));
}

/** Lets the steps that were not among `before` appear, and returns their words. */
export function markArrivals(root: HTMLElement, before: ReadonlySet<string>): string[] {
  const arrived = [...root.querySelectorAll(steps)].filter(step => !before.has(words(step)));
  for (const step of arrived) step.classList.add('arrives');
  return arrived.map(words);
}

function words(step: Element): string {
  return (step.querySelector('.label')?.textContent ?? '').replace(/\s+/g, ' ').trim();
}
