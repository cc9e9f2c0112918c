// The one dialog of the page: questions before something is done, and the details of an event.
import { byId, type Content, element, note } from './element.ts';
import { say } from './language.ts';

const dialog = (): HTMLDialogElement => byId<HTMLDialogElement>('dialog');
const KEPT_AS = 'by';

export function openDialog(head: string, ...content: Content[]): void {
  const close = button(say()('close'), () => dialog().close(), 'close');
  dialog().replaceChildren(
    element('h2', {}, head),
    ...content.filter((one) => one !== null && one !== undefined),
    close,
  );
  if (!dialog().open) dialog().showModal();
}

export function button(text: string, run: () => void, key: string, kind = ''): HTMLElement {
  const made = element('button', { type: 'button', 'data-key': key, class: kind }, text);
  made.addEventListener('click', run);
  return made;
}

export interface Question {
  head: string;
  /** What it means. */
  text: string;
  /** On the button. */
  act: string;
  /** What cannot be undone. */
  final?: boolean;
  /** false: the site does not keep who did it. */
  who?: false;
  /** Does it. @throws Error with what the site has against it */
  run: (by: string) => Promise<string>;
}

/** Asks who does it, does it, and says what came of it. */
export function askFirst({ head, text, act, final, who: asked, run }: Question, done: () => void): void {
  const w = say();
  const who = element('input', { id: 'by', autocomplete: 'name', maxlength: 128 }) as HTMLInputElement;
  who.value = kept();
  const told = element('p', { role: 'status' });
  const go = button(
    act,
    () => {
      const by = who.value.trim();
      if (asked !== false) {
        if (by === '') return void who.focus();
        keep(by);
      }
      go.setAttribute('disabled', '');
      run(by)
        .then((came) => {
          told.className = 'good';
          told.textContent = came;
          go.remove();
        })
        .catch((error: unknown) => {
          told.className = 'bad';
          told.textContent = (error as Error).message;
          go.removeAttribute('disabled');
        })
        .finally(done);
    },
    'act',
    final ? 'final' : 'main',
  );
  const name = asked === false ? [] : [element('label', { for: 'by' }, w('by')), who, note(w('byWhy'))];
  openDialog(head, element('p', {}, text), ...name, told, go);
}

function kept(): string {
  try {
    return localStorage.getItem(KEPT_AS) ?? '';
  } catch {
    return ''; // A browser without storage remembers none.
  }
}

function keep(by: string): void {
  try {
    localStorage.setItem(KEPT_AS, by);
  } catch {
    // It is asked again.
  }
}
