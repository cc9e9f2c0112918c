import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useSession } from '../../session/session.tsx';

/** A camera is hardly ever named anew, ms. */
const FRESH_MS = 300_000;

export const cameraNamesKey = ['camera-names'] as const;
type Named = Answer<'/api/core/camera-names', 'get'>['items'][number];
const NONE: readonly Named[] = [];

/** As its events name it, with the name that it gives itself. */
export interface CameraOf {
  tenantCode: string;
  instance: string | null;
  cameraRef?: string | null | undefined;
  cameraName?: string | null | undefined;
}

/** The names that people gave cameras. */
function useNamed(): readonly Named[] {
  const { can } = useSession();
  const { data = NONE } = useQuery({
    queryKey: cameraNamesKey,
    queryFn: async (): Promise<readonly Named[]> => (await answerOf(api.GET('/api/core/camera-names'))).items,
    enabled: can('events.view'),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });
  return data;
}

/**
 * What a camera is called: by the name that people gave it, by the one that it gives itself, or as its events
 * name it. null: they name none.
 */
export function useCameraName(): (camera: CameraOf) => string | null {
  const named = useNamed();
  return useMemo(() => {
    const names = new Map(named.map((one) => [keyOf(one), one.name]));
    return (camera) => names.get(keyOf(camera)) ?? camera.cameraName ?? camera.cameraRef ?? null;
  }, [named]);
}

const keyOf = ({ tenantCode, instance, cameraRef }: CameraOf): string =>
  JSON.stringify([tenantCode, instance, cameraRef]);
