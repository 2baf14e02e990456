const lookAgainMilliseconds = 50;

/**
 * Resolves once no button of the pointer is down in the element. A click is lost if its target is replaced between the press and
 * the release.
 */
export async function untilReleased(element: Element | null): Promise<void> {
  while (element?.matches(':active')) await new Promise(resolve => setTimeout(resolve, lookAgainMilliseconds));
}
