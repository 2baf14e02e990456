/** Sends the answer of `response_mode=form_post` on its way; with scripts off the page has a button. */
const form = document.getElementById('form-post');
if (form instanceof HTMLFormElement) form.submit();
