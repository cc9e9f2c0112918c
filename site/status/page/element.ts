// Elements of the page. Text from cameras and people goes into it as text nodes only.
export type Content = Node | string | null | undefined;
type Attributes = Readonly<Record<string, string | number>>;

const SVG = 'http://www.w3.org/2000/svg';

function fill<E extends Element>(made: E, attributes: Attributes, children: readonly Content[]): E {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  for (const child of children) if (child !== null && child !== undefined) made.append(child);
  return made;
}

export const element = (name: string, attributes: Attributes = {}, ...children: Content[]): HTMLElement =>
  fill(document.createElement(name), attributes, children);

export const drawing = (name: string, attributes: Attributes = {}, ...children: Content[]): SVGElement =>
  fill(document.createElementNS(SVG, name) as SVGElement, attributes, children);

/** An element that the page has from the start. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found as E;
}

/** Puts anew what an element holds; a button in it that has the focus keeps it. */
export function put(id: string, ...children: (Node | string)[]): void {
  const holder = byId(id);
  const active = document.activeElement as HTMLElement | null;
  const key = active && holder.contains(active) ? active.dataset.key : undefined;
  holder.replaceChildren(...children);
  if (key !== undefined)
    for (const one of holder.querySelectorAll<HTMLElement>('[data-key]'))
      if (one.dataset.key === key) one.focus({ preventScroll: true });
}

/** A code, which may be broken after its dots and underlines rather than anywhere. */
export const breakable = (text: string): Content[] =>
  text.split(/(?<=[._/-])/).flatMap((part, at) => (at === 0 ? [part] : [element('wbr'), part]));

export const note = (text: Content): HTMLElement => element('p', { class: 'quiet' }, text);

export function table(
  heads: readonly (readonly [text: string, kind?: string])[],
  rows: readonly HTMLElement[],
): HTMLElement {
  const cells = heads.map(([text, kind]) => element('th', kind ? { class: kind } : {}, text));
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...cells)),
    element('tbody', {}, ...rows),
  );
}
