import { CloudDownloadOutlined, FileOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Card, Empty, Flex, Image } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { AsOf } from '../../page/fault.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { bytes } from '../../word/number.ts';
import { fileKey, useAskFor } from './asking.ts';
import { detailWords } from './detail-words.ts';
import { type EvidenceFile, type Far, isMoving, isPicture } from './evidence.ts';
import { PictureState } from './picture-state.tsx';

const MOVING_MS = 3_000;
/** Of a picture that could not be had: 2, 4, … 32 s. */
const AGAIN_MS = 2_000;
const MOST_ASKED = 5;

function useFiles(id: number) {
  return useQuery({
    queryKey: fileKey(id),
    queryFn: async () =>
      (await answerOf(api.GET('/api/core/events/{id}/evidence', { params: { path: { id } } }))).items,
    // Only what is on its way changes by itself.
    refetchInterval: ({ state }) =>
      state.error || state.data?.some((file) => isMoving(file.state)) ? MOVING_MS : false,
    refetchIntervalInBackground: false,
  });
}

/** The files of an event, each with where it stands; what is at the site is asked for with a button. */
export function Pictures({ id, instance, alt }: { id: number; instance: string; alt: string }) {
  const say = useWords(detailWords);
  const files = useFiles(id);
  return (
    <Card size="small" title={say('pictures')}>
      <AsOf query={files} />
      {files.data?.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('noPictures')} />
      )}
      <Image.PreviewGroup>
        <Flex gap="middle" wrap>
          {files.data?.map((file) => (
            <FileTile key={file.name} id={id} file={file} instance={instance} alt={alt} />
          ))}
        </Flex>
      </Image.PreviewGroup>
    </Card>
  );
}

function FileTile({
  id,
  file,
  instance,
  alt,
}: {
  id: number;
  file: EvidenceFile;
  instance: string;
  alt: string;
}) {
  const say = useWords(detailWords);
  const { language } = useLanguage();
  const address = `/api/core/events/${id}/evidence/${encodeURIComponent(file.name)}`;
  return (
    <div className="file-tile">
      {file.state === 'stored' && isPicture(file) ? (
        <WholePicture address={address} alt={alt} />
      ) : (
        <FarFile id={id} file={file} instance={instance} alt={alt} />
      )}
      {file.state === 'stored' && !isPicture(file) && (
        <Button icon={<FileOutlined />} href={address} download={file.name}>
          {say('openFile')}
        </Button>
      )}
      <div className="quiet cut" title={file.name}>
        {file.name} · {bytes(file.size, language)}
      </div>
    </div>
  );
}

/** The browser asks for it by itself, and leaves it broken when headquarters was busy: it is asked again. */
function WholePicture({ address, alt }: { address: string; alt: string }) {
  const [asked, ask] = useState(0);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const again = (): void => {
    if (asked < MOST_ASKED) waiting.current = setTimeout(() => ask(asked + 1), AGAIN_MS * 2 ** asked);
  };
  return <Image key={asked} src={address} alt={alt} width="100%" loading="lazy" onError={again} />;
}

function FarFile({
  id,
  file,
  instance,
  alt,
}: {
  id: number;
  file: EvidenceFile;
  instance: string;
  alt: string;
}) {
  const say = useWords(detailWords);
  const { language } = useLanguage();
  const { run, pending } = useAskFor(id);
  const far: Far = {
    state: file.state,
    instance: file.site?.instance ?? instance,
    bytes: file.site?.bytes ?? 0,
    reason: file.site?.reason ?? null,
    askedAt: file.site?.askedAt ?? null,
    deletedAt: file.site?.deletedAt ?? null,
  };
  const askable = file.state === 'at_site' || file.state === 'failed';
  return (
    <Flex vertical gap="small" align="start" className="file-far">
      {file.preview && (
        <div className="preview-picture">
          <img
            src={`/api/core/events/${id}/evidence/${encodeURIComponent(file.name)}?size=small`}
            alt={alt}
          />
          <span className="preview-mark">{say('preview')}</span>
        </div>
      )}
      <PictureState far={far} size={file.size} language={language} />
      {askable && (
        <Button icon={<CloudDownloadOutlined />} loading={pending} onClick={() => run(file.name)}>
          {say(file.state === 'failed' ? 'askAgain' : 'ask')}
        </Button>
      )}
    </Flex>
  );
}
