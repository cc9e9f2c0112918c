import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';

/** One's own second factor, and whether one has a password at all. */
export const useSecondFactor = () =>
  useQuery({
    queryKey: ['second-factor'],
    queryFn: () => answerOf(api.GET('/api/core/session/second_factor')),
  });

/** One's own passkeys, and where they can be. */
export const usePasskeys = () =>
  useQuery({
    queryKey: ['passkeys'],
    queryFn: () => answerOf(api.GET('/api/core/session/passkeys')),
  });
