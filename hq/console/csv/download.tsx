import { DownloadOutlined } from '@ant-design/icons';
import { useMutation } from '@tanstack/react-query';
import { App, Button } from 'antd';
import { faultText } from '../page/fault-text.ts';
import { words as pageWords } from '../page/words.ts';
import { useLanguage, useWords } from '../word/language.tsx';
import { number } from '../word/number.ts';
import { type Cell, csv } from './csv.ts';
import { words } from './words.ts';

/** What a file holds. */
export interface Sheet {
  head: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** Whether there was more than a file takes. */
  cut: boolean;
}

/** Characters that a name of a file has on every system. */
const nameOf = (name: string): string => `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.csv`;

/**
 * Saves a table as a file. @param name of the file, without its ending @param read everything that is to be
 * in it, from the hub
 */
export function ExportButton({
  label,
  name,
  read,
}: {
  label: string;
  name: string;
  read: () => Promise<Sheet>;
}) {
  const { message, notification } = App.useApp();
  const say = useWords(words);
  const sayFault = useWords(pageWords);
  const { language } = useLanguage();
  const save = useMutation({
    mutationFn: read,
    onSuccess: ({ head, rows, cut }) => {
      hand(nameOf(cut ? `${name}-${rows.length}` : name), csv(head, rows));
      const count = number(rows.length, language);
      if (cut) notification.warning({ title: say('cut', { count }), duration: 0 });
      else message.success(say('saved', { count }));
    },
    onError: (error) => {
      const { title, details } = faultText(error, sayFault, language);
      notification.error({ title, description: details.join('; '), duration: 0 });
    },
  });
  return (
    <Button icon={<DownloadOutlined />} loading={save.isPending} onClick={() => save.mutate()}>
      {label}
    </Button>
  );
}

function hand(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to save it by then; at once would be too early for some.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
