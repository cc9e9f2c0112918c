import { CloudDownloadOutlined, FileImageOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Flex, Image, Spin } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { againAfter } from '../../api/queries.ts';
import { useLanguage, useWords } from '../../word/language.tsx';
import { useAskFor } from './asking.ts';
import { detailWords } from './detail-words.ts';
import { type Far, isMoving, isPicture } from './evidence.ts';
import { PictureState } from './picture-state.tsx';
import type { Event } from './queries.ts';
import { useTypeName } from './type-name.tsx';

const MOVING_MS = 5_000;
/** `preview`: the file is at its site still. */
type Small = { kind: 'here'; address: string; preview: boolean } | { kind: 'far'; far: Far };

/** The picture itself as an address: it is small, and nothing is to be given back. */
const addressOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the picture could not be read'));
    reader.readAsDataURL(blob);
  });

async function fetchSmall(id: number, name: string): Promise<Small> {
  const call = api.GET('/api/core/events/{id}/evidence/{name}', {
    params: { path: { id, name }, query: { size: 'small' } },
    parseAs: 'blob',
  });
  const blob = await answerOf<Blob>(call);
  if (!blob.type.startsWith('application/json')) {
    const preview = (await call).response.headers.has('X-Preview');
    return { kind: 'here', address: await addressOf(blob), preview };
  }
  return { kind: 'far', far: JSON.parse(await blob.text()) as Far };
}

/**
 * The picture as it stands; who asks for a small one of which there is no preview has it brought from its
 * site.
 * @param asked the file was asked for, and is to take the place of its preview
 */
function usePicture(id: number, name: string | undefined, enabled: boolean, asked = false) {
  return useQuery({
    queryKey: ['picture', id, name],
    queryFn: () => fetchSmall(id, name ?? ''),
    enabled: enabled && name !== undefined,
    staleTime: Infinity,
    gcTime: 60_000,
    refetchInterval: ({ state }) => {
      const { data } = state;
      const comes = data?.kind === 'far' ? isMoving(data.far.state) : asked && data?.preview;
      return comes ? MOVING_MS : againAfter(state);
    },
  });
}

/** A small picture of the event, asked for when it comes into view; where it stands until it is here. */
export function SmallPicture({ event: { id, title, type, tenantCode, evidence } }: { event: Event }) {
  const say = useWords(detailWords);
  const { language } = useLanguage();
  const { box, seen } = useSeen();
  const named = useTypeName(tenantCode)(type);
  const first = evidence?.find(isPicture);
  const { data, error } = usePicture(id, first?.name, seen);
  return (
    <div ref={box} className="small-picture">
      {data?.kind === 'here' && <img src={data.address} alt={title ?? named} />}
      {data?.kind === 'here' && data.preview && <span className="preview-mark">{say('preview')}</span>}
      {data?.kind === 'far' && (
        <PictureState far={data.far} size={first?.size ?? 0} brief language={language} />
      )}
      {first === undefined && <FileImageOutlined className="quiet" aria-label={say('noPictures')} />}
      {error && <span className="quiet">{say('noPreview')}</span>}
    </div>
  );
}

/** One picture of the event as large as there is room, the small one in its place until it is loaded. */
export function LargePicture({ event, name }: { event: Event; name: string }) {
  const say = useWords(detailWords);
  const { language } = useLanguage();
  const named = useTypeName(event.tenantCode)(event.type);
  const [asked, ask] = useState(false);
  const { data, error, isPending } = usePicture(event.id, name, true, asked);
  const size = event.evidence?.find((file) => file.name === name)?.size ?? 0;
  return (
    <div className="large-picture">
      {data?.kind === 'here' && data.preview && (
        <PreviewPicture
          event={event}
          name={name}
          address={data.address}
          alt={event.title ?? named}
          asked={() => ask(true)}
        />
      )}
      {data?.kind === 'here' && !data.preview && (
        <Image
          src={`/api/core/events/${event.id}/evidence/${encodeURIComponent(name)}`}
          alt={event.title ?? named}
          placeholder={<img src={data.address} alt="" />}
        />
      )}
      {data?.kind === 'far' && <PictureState far={data.far} size={size} language={language} />}
      {isPending && <Spin />}
      {error && <span className="quiet">{say('noPreview')}</span>}
    </div>
  );
}

/** The preview in the place of the picture, which a tap has brought from its site. */
function PreviewPicture({
  event,
  name,
  address,
  alt,
  asked,
}: {
  event: Event;
  name: string;
  address: string;
  alt: string;
  asked: () => void;
}) {
  const say = useWords(detailWords);
  const { run, pending } = useAskFor(event.id, asked);
  return (
    <Flex vertical gap="small" align="center" className="preview-picture">
      <img src={address} alt={alt} />
      <Flex gap="small" wrap align="center" justify="center">
        <span className="quiet">{say('previewMeans')}</span>
        <Button size="small" icon={<CloudDownloadOutlined />} loading={pending} onClick={() => run(name)}>
          {say('ask')}
        </Button>
      </Flex>
    </Flex>
  );
}

/** Whether the box has been in view. */
function useSeen() {
  const box = useRef<HTMLDivElement>(null);
  const [seen, see] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        see(true);
        watcher.disconnect();
      },
      { rootMargin: '100px' },
    );
    watcher.observe(current);
    return () => watcher.disconnect();
  }, []);
  return { box, seen };
}
