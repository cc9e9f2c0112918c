import { useEffect } from 'react';

/**
 * Tables that are wider than the screen scroll by themselves; with nothing in them that takes the focus, the
 * keyboard could not reach what is beside. They take it for as long as they scroll.
 * @param id of the element in which they are
 */
export function useReachableScrollers(id: string): void {
  useEffect(() => {
    const content = document.getElementById(id);
    if (!content) return undefined;
    let due = 0;
    const mark = (): void => {
      due = 0;
      for (const one of content.querySelectorAll<HTMLElement>('.ant-table-content'))
        if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
        else one.removeAttribute('tabindex');
    };
    const later = (): void => {
      due ||= requestAnimationFrame(mark);
    };
    const changes = new MutationObserver(later);
    changes.observe(content, { childList: true, subtree: true });
    const sizes = new ResizeObserver(later);
    sizes.observe(content);
    return () => {
      changes.disconnect();
      sizes.disconnect();
      cancelAnimationFrame(due);
    };
  }, [id]);
}
