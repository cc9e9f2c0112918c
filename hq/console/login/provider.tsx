import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { answerOf, api } from '../api/client.ts';
import { Fault } from '../page/fault.tsx';
import { WAYS_IN } from '../session/session.tsx';
import { useWords } from '../word/language.tsx';
import { keepBack } from './back.ts';
import { words } from './words.ts';

/** How people log in at this hub. */
export const useWays = () =>
  useQuery({
    queryKey: [WAYS_IN],
    queryFn: () => answerOf(api.GET('/api/core/session/ways')),
    staleTime: Infinity,
  });

/** Leads to the provider of identities. @param back where the person goes on afterwards */
export function ProviderButton({ name, back }: { name: string; back: string }) {
  const say = useWords(words);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { goTo } = await answerOf(api.POST('/api/core/session/provider/start'));
      keepBack(back);
      window.location.assign(goTo);
    },
  });
  return (
    <>
      {error && <Fault error={error} />}
      <Button type="primary" className="login-provider" block loading={isPending} onClick={() => mutate()}>
        {say('provider', { name })}
      </Button>
    </>
  );
}
