const COUNTED = /^\(\d+\+?\) /;

/** Names the screen in the title of the tab; a count before it stays. */
export function nameTab(title: string): void {
  document.title = `${COUNTED.exec(document.title)?.[0] ?? ''}${title} · Fieldline`;
}

/** Puts before the title of the tab how many alerts wait. @param more there are more than these */
export function countInTab(count: number, more = false): void {
  const title = document.title.replace(COUNTED, '');
  document.title = count === 0 ? title : `(${count}${more ? '+' : ''}) ${title}`;
}
