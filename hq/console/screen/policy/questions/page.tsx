import { Flex, Segmented } from 'antd';
import { useState } from 'react';
import { useFilters } from '../../../list/filter.ts';
import { useWords } from '../../../word/language.tsx';
import { useEyes } from '../eyes.ts';
import { questionFilters } from '../filters.ts';
import { LibraryFrame } from '../frame.tsx';
import { GroupDialog } from '../group-dialog.tsx';
import { useSynonyms } from '../synonym-queries.ts';
import { UploadFile } from '../upload.tsx';
import type { Remedies } from './acts.tsx';
import { OpenList } from './open-list.tsx';
import { words } from './words.ts';
import { WrongList } from './wrong-list.tsx';

/** What the library did not answer, or answered wrongly; for who keeps it. */
export function OpenQuestions() {
  const say = useWords(words);
  const eyes = useEyes();
  const { filters, change } = useFilters(questionFilters);
  const table = useSynonyms(eyes?.tenant);
  const [adding, add] = useState<readonly string[] | null>(null);
  const [uploading, upload] = useState(false);
  const wrong = filters.kind === 'wrong';
  const remedies: Remedies = { tenant: eyes?.tenant ?? '', addSynonyms: add, addRule: () => upload(true) };
  return (
    <LibraryFrame tab="questions" byLevel={wrong}>
      <Flex gap="small" wrap align="center">
        <Segmented
          value={wrong ? 'wrong' : 'open'}
          options={(['open', 'wrong'] as const).map((value) => ({ value, label: say(value) }))}
          onChange={(kind) => change({ kind: kind === 'wrong' ? 'wrong' : undefined })}
        />
        <span className="quiet">{say(wrong ? 'aboutWrong' : 'about')}</span>
      </Flex>
      {wrong ? <WrongList eyes={eyes} remedies={remedies} /> : <OpenList eyes={eyes} remedies={remedies} />}
      {table.data && (
        <GroupDialog
          table={table.data}
          at={adding === null ? null : 'new'}
          words={adding?.slice(0, 1) ?? []}
          close={() => add(null)}
        />
      )}
      {eyes && <UploadFile open={uploading} close={() => upload(false)} tenant={eyes.tenant} />}
    </LibraryFrame>
  );
}
