import { Link } from '@tanstack/react-router';
import icon from '../app/icon.svg';

/** @param wide with the name beside the sign */
export function Brand({ wide }: { wide: boolean }) {
  return (
    <Link to="/" className="brand" aria-label="Fieldline">
      <img src={icon} alt="" width={28} height={28} />
      {wide && <strong>Fieldline</strong>}
    </Link>
  );
}
