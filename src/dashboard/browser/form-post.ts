/** Submits the form of `response_mode=form_post`. Without scripts, the page shows a button. */
const form = document.getElementById('form-post');
if (form instanceof HTMLFormElement) form.submit();
