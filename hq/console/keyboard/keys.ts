import { useEffect, useRef } from 'react';

/** What a key does. No single key decides anything: it moves, opens, closes or asks. */
export type Keys = Readonly<
  Partial<Record<'/' | '?' | 'j' | 'k' | 'Enter' | 'Escape' | 'v' | 'x', () => void>>
>;

/** Keys of the screen at hand, where nobody types and no dialog is open. */
export function useKeys(keys: Keys): void {
  const now = useRef(keys);
  useEffect(() => {
    now.current = keys;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
      const act = now.current[event.key as keyof Keys];
      if (!act || isTaken(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}

/** Whether the key belongs to what has the focus, or to a dialog over the screen. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return true;
  if (document.querySelector('.ant-modal-wrap:not([style*="display: none"]), .ant-drawer-open')) return true;
  return key === 'Enter' && /^(?:A|BUTTON)$/.test(target.tagName);
}
