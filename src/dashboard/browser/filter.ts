/** Makes the suggestions of a filter complete the last term and keep the terms before it. */
export function startFilter(): void {
  const field = document.querySelector<HTMLInputElement>('input[list="filter-terms"]');
  const options = [...(field?.list?.querySelectorAll('option') ?? [])];
  const terms = options.map(({ value }) => value);
  field?.addEventListener('input', () => {
    const before = /^(?:[^\s"]|"[^"]*"|\s)*\s|/.exec(field.value)?.[0] ?? '';
    const sign = /^[-!]/.exec(field.value.slice(before.length))?.[0] ?? '';
    options.forEach((option, index) => {
      option.value = `${before}${sign}${terms[index]}`;
    });
  });
}
