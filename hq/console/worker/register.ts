/** After the page is there, so that it waits for nothing of this, ms. */
const AFTER_MS = 3_000;

/** Whether this browser can have a service worker here: https, or this machine. */
export const canWork = (): boolean => 'serviceWorker' in navigator;

/** Lets the worker of this build take the place of the one before. */
export function registerWorker(): void {
  if (!canWork() || !import.meta.env.PROD) return;
  setTimeout(() => {
    // Without it the console works as it does; the page on calls says what is wrong.
    void navigator.serviceWorker
      .register('/worker.js')
      .then(() => navigator.serviceWorker.ready)
      .then(({ active }) => active?.postMessage('keep'))
      .catch(() => undefined);
  }, AFTER_MS);
}
