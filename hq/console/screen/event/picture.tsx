import { FileImageOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Image, Spin } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { againAfter } from '../../api/queries.ts';
import { useLanguage, useWords } from '../../word/language.tsx';
import { detailWords } from './detail-words.ts';
import { type Far, isMoving, isPicture } from './evidence.ts';
import { PictureState } from './picture-state.tsx';
import type { Event } from './queries.ts';
import { useTypeName } from './type-name.tsx';

const MOVING_MS = 5_000;
type Small = { kind: 'here'; address: string } | { kind: 'far'; far: Far };

/** The picture itself as an address: it is small, and nothing is to be given back. */
const addressOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the picture could not be read'));
    reader.readAsDataURL(blob);
  });

async function fetchSmall(id: number, name: string): Promise<Small> {
  const blob = await answerOf<Blob>(
    api.GET('/api/core/events/{id}/evidence/{name}', {
      params: { path: { id, name }, query: { size: 'small' } },
      parseAs: 'blob',
    }),
  );
  if (!blob.type.startsWith('application/json')) return { kind: 'here', address: await addressOf(blob) };
  return { kind: 'far', far: JSON.parse(await blob.text()) as Far };
}

/** The picture as it stands; who asks for a small one has it brought from its site. */
function usePicture(id: number, name: string | undefined, enabled: boolean) {
  return useQuery({
    queryKey: ['picture', id, name],
    queryFn: () => fetchSmall(id, name ?? ''),
    enabled: enabled && name !== undefined,
    staleTime: Infinity,
    gcTime: 60_000,
    refetchInterval: ({ state }) =>
      state.data?.kind === 'far' && isMoving(state.data.far.state) ? MOVING_MS : againAfter(state),
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
  const { data, error, isPending } = usePicture(event.id, name, true);
  const size = event.evidence?.find((file) => file.name === name)?.size ?? 0;
  return (
    <div className="large-picture">
      {data?.kind === 'here' && (
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
