// Runs in the page: what of the screen that is shown now a person could not read.

/**
 * @param {{ zh: boolean }} options whether the page speaks Chinese
 * @returns {string[]} each fault with the text that has it
 */
export function lookOver({ zh }) {
  const faults = new Set();
  /** Text that stands for data or code, where identifiers belong. */
  const DATA = 'code, pre, kbd, time, textarea, .raw, .bytes';
  /** A unit, and a name that the specification gives. */
  const KNOWN = ['kB', 'client_id'];
  const RAW = [
    ['a placeholder', /\{\w+\}/],
    ['a value that is none', /\b(?:undefined|null|NaN)\b|\[object |Invalid Date/],
    // Types of events have a dot: `tunnel.gas_high`.
    ['a raw name', /(?<![\w./:-])(?:[a-z]+(?:_[a-z0-9]+)+|[a-z]+[A-Z][A-Za-z]*)(?![\w./:])/],
  ];
  const page = document.documentElement;
  const brief = (text) => JSON.stringify(text.trim().replace(/\s+/g, ' ').slice(0, 60));
  const named = (one) => `${one.tagName.toLowerCase()}.${[...one.classList].slice(0, 3).join('.')}`;

  if (page.scrollWidth > page.clientWidth)
    faults.add(`the page scrolls sideways, ${page.scrollWidth} > ${page.clientWidth}: ${widest()}`);
  for (const table of document.querySelectorAll('.ant-table-content, .ant-table-body'))
    if (table.scrollWidth > table.clientWidth + 1)
      faults.add(`a table scrolls sideways, ${table.scrollWidth} > ${table.clientWidth}`);
  for (const heading of document.querySelectorAll('h1'))
    if (heading.textContent.trim() === '') faults.add('an empty heading');

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (!parent || node.data.trim() === '' || parent.closest('script, style, noscript, svg, canvas'))
      continue;
    if (parent.closest('[aria-hidden="true"], .skip, .ant-badge-count')) continue;
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) continue;
    raw(node.data, parent);
    cut(node.data, parent, box);
  }
  return [...faults];

  function raw(text, parent) {
    if (parent.closest(DATA)) return;
    for (const [what, pattern] of RAW) {
      const found = pattern.exec(text);
      if (found && !KNOWN.includes(found[0]))
        faults.add(`${what} ${JSON.stringify(found[0])} in ${brief(text)} ${named(parent)}`);
    }
    if (zh && /[a-z]{3,} [a-z]{2,} [a-z]{2,}/i.test(text))
      faults.add(`English ${brief(text)} ${named(parent)}`);
  }

  function cut(text, parent, box) {
    let ellipsis = false;
    let spilt = null;
    for (let one = parent; one && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      const own = one.getBoundingClientRect();
      if (own.width <= 1 && own.height <= 1) return; // for screen readers only
      // What does not fit there is in a menu beside it.
      if (one.classList.contains('ant-tabs-nav-wrap')) return;
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') ellipsis = true;
      const over = box.right > own.right + 1.5 || box.left < own.left - 1.5;
      const below = box.bottom > own.bottom + 4 || box.top < own.top - 4;
      if (/auto|scroll/.test(style.overflowX) && over) return;
      if (/auto|scroll/.test(style.overflowY) && below) return;
      if (/hidden|clip/.test(style.overflowX) && over && style.display !== 'inline') {
        if (!ellipsis) faults.add(`cut ${brief(text)} in ${named(one)}`);
        return;
      }
      if (/hidden|clip/.test(style.overflowY) && below && style.display !== 'inline') {
        if (!ellipsis) faults.add(`cut below ${brief(text)} in ${named(one)}`);
        return;
      }
      if (over && spilt === null && /block|flex|grid|table-cell/.test(style.display)) spilt = one;
      if (style.position === 'fixed') break;
    }
    if (spilt && !ellipsis) faults.add(`spilt ${brief(text)} out of ${named(spilt)}`);
  }

  function widest() {
    let found = null;
    for (const one of document.body.querySelectorAll('*')) {
      const right = one.getBoundingClientRect().right;
      if (right > page.clientWidth + 1 && (found === null || right > found.right)) found = { one, right };
    }
    return found ? named(found.one) : '?';
  }
}
