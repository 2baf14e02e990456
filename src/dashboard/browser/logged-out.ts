/** Continues to the application after every front-channel client was loaded or timed out. */
const patience = 5000;
const link = document.querySelector<HTMLAnchorElement>('a[data-goes-on]');

if (link !== null) {
  const goOn = () => location.replace(link.href);
  setTimeout(goOn, patience);
  // the load event of a page waits for its iframes
  if (document.readyState === 'complete') goOn();
  else addEventListener('load', goOn, { once: true });
}
