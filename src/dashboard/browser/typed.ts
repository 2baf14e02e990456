/** Tells whether a form of the page has input that was not sent. */
export function isAnythingTyped(): boolean {
  return [...document.forms].some(form => [...form.elements].some(isChanged));
}

function isChanged(field: Element): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (field instanceof HTMLSelectElement) return field.selectedIndex !== defaultIndex(field);
  if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false;
  const isTicked = field.type === 'checkbox' || field.type === 'radio';
  return isTicked ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

/** The first option if none is marked as selected. */
function defaultIndex({ options }: HTMLSelectElement): number {
  return Math.max(
    0,
    [...options].findIndex(option => option.defaultSelected),
  );
}
