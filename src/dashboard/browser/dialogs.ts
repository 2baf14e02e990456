/** Makes links open a dialog of the page. Without scripts they lead to a page with the same content. */
export function startDialogs(part: ParentNode = document): void {
  for (const link of part.querySelectorAll<HTMLAnchorElement>('a[data-dialog]')) {
    const dialog = document.getElementById(link.dataset.dialog ?? '');
    if (!(dialog instanceof HTMLDialogElement)) continue;
    link.addEventListener('click', event => {
      event.preventDefault();
      dialog.showModal();
    });
  }
}
