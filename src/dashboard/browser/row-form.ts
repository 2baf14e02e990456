// Keeps the row of a form where it is in the window, while the list comes again as the answer.

const place = 'grantbox-place';
const [id = '', top] = (sessionStorage.getItem(place) ?? '').split(' ');
sessionStorage.removeItem(place);
const row = document.getElementById(id);
const stay = () => scrollBy({ top: (row?.getBoundingClientRect().top ?? 0) - Number(top), behavior: 'instant' });
if (row !== null) {
  stay();
  addEventListener('load', stay, { once: true }); // the browser scrolls to the fragment once more until then
}

const keep = ({ target }: Event) => {
  const row = target instanceof Element ? target.closest('.row-form form, a.row-open')?.closest('tr') : null;
  if (row) sessionStorage.setItem(place, `${row.id} ${row.getBoundingClientRect().top}`);
};
document.addEventListener('submit', keep);
document.addEventListener('click', event => event.target instanceof HTMLAnchorElement && keep(event));

export {};
