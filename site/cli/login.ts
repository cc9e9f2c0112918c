import encodeQR from 'qr';
import { sayer } from '../../common/message.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { isLoopback } from '../addresses.ts';
import type { SiteContext } from './context.ts';
import { loginMessages } from './login-messages.ts';

/** `login`: a short code for the page, and the same as a QR code for a telephone. */
export async function showLogin(
  { 'no-qr': plain }: { 'no-qr': boolean },
  { api, terminal, language }: SiteContext,
): Promise<number> {
  const w = sayer(loginMessages, language);
  const { code, addresses } = await api.call<{ code: string; addresses: string[] }>(
    'POST',
    '/api/core/session/codes',
  );
  const [first] = addresses;
  const shown = (first === undefined ? [w('gateway')] : addresses).map((one) => `  ${one}\n`).join('');
  terminal.out(w('told', { addresses: shown, code }));
  if (!plain && first !== undefined)
    // What follows # stays in the browser.
    terminal.out(`\n${w('scan')}\n\n${encodeQR(`${first}/#${code}`, 'ascii', { ecc: 'low' })}\n`);
  if (first !== undefined && addresses.every(isLoopback)) terminal.out(`\n${w('onlyHere')}\n`);
  return EXIT.well;
}
