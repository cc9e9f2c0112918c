import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { createElement } from 'react';
import { Refused } from '../api/fault.ts';
import { useLanguage, useWords } from '../word/language.tsx';
import { faultText } from './fault-text.ts';
import { words } from './words.ts';

interface Act<Input, Output> {
  /** Throws what `answerOf` throws. */
  act: (input: Input) => Promise<Output>;
  /** Queries whose rows it changes, by the beginnings of their keys: asked anew, also after a 409. */
  changes: readonly QueryKey[];
  /** What the toast says; absent: that it is done; null: there is none. */
  done?: (output: Output, input: Input) => string | null;
  /** What a 409 says; absent: that `firstBy` was first, and otherwise what the hub says. */
  conflict?: (refused: Refused) => string | undefined;
  /** Who was first, from the body of a 409. */
  firstBy?: (refused: Refused) => string | undefined;
  /** After the toast: a dialog closes. */
  then?: (output: Output, input: Input) => void;
  /** Whether the caller shows the error itself, such as beside the fields of a form; not for a 409. */
  quiet?: boolean;
}

/**
 * A change that is made at the hub: its answer is awaited, what it changed is asked for anew, and success,
 * conflict and error are told in words. `run(input)` makes it, `pending` disables the control.
 */
export function useAct<Input, Output>(options: Act<Input, Output>) {
  const { message, notification } = App.useApp();
  const queries = useQueryClient();
  const say = useWords(words);
  const { language } = useLanguage();
  const reload = (): Promise<unknown> =>
    Promise.all(options.changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
  const tell = (error: unknown): void => {
    const { title, details, requestId } = faultText(error, say, language);
    const lines = [...details, ...(requestId === '' ? [] : [say('requestId', { id: requestId })])];
    notification.error({
      title,
      description: lines.map((line) => createElement('div', { key: line }, line)),
      duration: 0,
    });
  };
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: options.act,
    onSuccess: async (output, input) => {
      const told = options.done ? options.done(output, input) : say('done');
      if (told !== null) message.success(told);
      options.then?.(output, input);
      await reload();
    },
    onError: async (refused) => {
      if (!(refused instanceof Refused) || refused.status !== 409) {
        if (!options.quiet) tell(refused);
        return;
      }
      const who = options.firstBy?.(refused);
      const said =
        options.conflict?.(refused) ?? (who === undefined ? undefined : say('changedMeanwhile', { who }));
      if (said === undefined) tell(refused);
      else notification.warning({ title: said, duration: 0 });
      await reload();
    },
  });
  return { run: mutate, pending: isPending, error, reset };
}
