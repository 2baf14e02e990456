/** The search field of a login screen with many users; without scripts it is a plain list. */
export function startUserSearch(): void {
  const search = document.querySelector<HTMLInputElement>('#search');
  const result = document.getElementById('search-result');
  const people = [...document.querySelectorAll<HTMLLIElement>('#people > li')].map(item => ({
    item,
    text: plain(`${item.textContent} ${item.querySelector<HTMLInputElement>('[name=sub]')?.value}`),
  }));
  if (search === null) return;
  document.getElementById('search-users')?.removeAttribute('hidden');
  search.addEventListener('input', show);
  search.addEventListener('keydown', chooseFirst);
  addEventListener('pageshow', show); // a page the browser kept comes back with what was typed

  /** Every word must be in the card: its name, e-mail, tags or subject. */
  function show(): void {
    const words = plain(search?.value ?? '').split(/\s+/);
    for (const { item, text } of people) item.hidden = !words.every(word => text.includes(word));
    const count = people.filter(({ item }) => !item.hidden).length;
    if (result === null) return;
    if (count === people.length) result.textContent = '';
    else result.textContent = count === 0 ? 'Nobody here is called that.' : `${count} of ${people.length} users`;
  }

  function chooseFirst(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || search?.value.trim() === '') return;
    people
      .find(({ item }) => !item.hidden)
      ?.item.querySelector('button')
      ?.click();
  }
}

/** Núñez is found by nunez. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
