const shownMilliseconds = 1600;

/** Shows the copy buttons of a part of the page and makes them work: `data-copy` names the element whose text goes to the clipboard. */
export function startCopyButtons(part: ParentNode = document): void {
  for (const button of part.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copy(button));
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = document.getElementById(button.dataset.copy ?? '');
  if (source === null || button.dataset.shown !== undefined) return;
  const done = await toClipboard(source);
  const label = [...button.childNodes];
  button.dataset.shown = '';
  button.textContent = done ? 'Copied' : 'Press Ctrl+C';
  button.classList.toggle('done', done);
  setTimeout(() => {
    button.replaceChildren(...label);
    button.classList.remove('done');
    delete button.dataset.shown;
  }, shownMilliseconds);
}

/** The clipboard is there on secure origins only; elsewhere the text is selected and copied the old way. */
async function toClipboard(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return document.execCommand('copy');
  }
}
