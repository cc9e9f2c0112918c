import { useParams } from '@tanstack/react-router';

/** The number in the address; null: what stands there is the number of nothing. */
export function useIdParam(): number | null {
  const { id = '' } = useParams({ strict: false });
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}
