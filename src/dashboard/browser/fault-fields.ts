/** Shows only the fields of *Arm a fault* that the chosen fault has. A field with a value or an error stays visible. */
export function startFaultFields(): void {
  const choice = document.querySelector<HTMLSelectElement>('#f-fault');
  if (choice === null) return;
  const show = () => {
    const fields = choice.selectedOptions[0]?.dataset.fields?.split(' ') ?? [];
    for (const each of document.querySelectorAll<HTMLElement>('[data-of-faults]')) {
      const field = each.querySelector<HTMLInputElement | HTMLSelectElement>('input, select');
      const isInUse = field !== null && (field.value !== '' || field.ariaInvalid === 'true');
      each.hidden = !isInUse && !fields.includes(each.dataset.ofFaults ?? '');
    }
  };
  choice.addEventListener('change', show);
  show();
}
