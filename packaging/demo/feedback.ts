import http from 'node:http';
import {
  SIGNATURE_TOLERANCE_S,
  signatureMatches,
  type SigningKey,
} from '../../common/http/signing/signature.ts';

export interface FeedbackMessage {
  localAlertNo: string | null;
  eventId: number;
  verdict?: string;
  by?: string;
  reason?: string | null;
}

export interface FeedbackListener {
  url: string;
  close(): Promise<void>;
}

/**
 * Listens for the verdicts that the site brings back to the camera, each signed with the camera's own key.
 */
export async function listenForFeedback(
  options: { host: string; port: number; key: SigningKey; now: () => number },
  heard: (message: FeedbackMessage) => void,
): Promise<FeedbackListener> {
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      if (!authentic(request, body, options)) {
        response.writeHead(401).end();
        return;
      }
      heard(JSON.parse(body.toString('utf8')) as FeedbackMessage);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  return {
    url: `http://${options.host}:${port}/feedback`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function authentic(
  request: http.IncomingMessage,
  body: Buffer,
  options: { key: SigningKey; now: () => number },
): boolean {
  const timestamp = Number(request.headers['x-core-timestamp']);
  if (
    request.headers['x-core-key'] !== options.key.keyId ||
    Math.abs(options.now() / 1000 - timestamp) > SIGNATURE_TOLERANCE_S
  )
    return false;
  const parts = { timestamp, method: request.method ?? '', target: request.url ?? '', body };
  return signatureMatches([options.key.secret], parts, String(request.headers['x-core-signature'] ?? ''));
}
