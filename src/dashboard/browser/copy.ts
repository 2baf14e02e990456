const shownMilliseconds = 1600;

/** Shows the copy buttons of a part of the page. `data-copy` names the element whose text a button copies. */
export function startCopyButtons(part: ParentNode = document): void {
  for (const button of part.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const source = document.getElementById(button.dataset.copy ?? '');
      if (source !== null) void copyText(button, source.textContent ?? '', source);
    });
  }
}

/** Copies a text and confirms it on the button. `source` is the element that shows the text, if there is one. */
export async function copyText(button: HTMLButtonElement, text: string, source?: HTMLElement): Promise<void> {
  if (button.dataset.shown !== undefined) return;
  const done = await toClipboard(text, source);
  const label = [...button.childNodes];
  button.dataset.shown = '';
  button.textContent = done ? (button.dataset.copied ?? 'Copied') : (button.dataset.byHand ?? 'Press Ctrl+C');
  button.classList.toggle('done', done);
  setTimeout(() => {
    button.replaceChildren(...label);
    button.classList.remove('done');
    delete button.dataset.shown;
  }, shownMilliseconds);
}

/** Browsers offer the clipboard only on secure origins. Elsewhere the text is selected and copied by a command. */
export async function toClipboard(text: string, source?: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const isShown = source?.checkVisibility() === true;
    const shown = isShown ? source : document.body.appendChild(document.createElement('pre'));
    if (!isShown) shown.textContent = text;
    getSelection()?.selectAllChildren(shown);
    const done = document.execCommand('copy');
    if (!isShown) shown.remove();
    return done;
  }
}
