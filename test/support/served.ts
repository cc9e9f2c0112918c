// Makes in the main process what test files ask for (on-demand.ts), and takes it down at the end.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Scene } from './process.ts';

/** Starts it. @returns what each file that asks is answered, as JSON */
export type Maker = (scene: Scene) => Promise<() => unknown>;

export interface OnDemand {
  url: string;
  close(): Promise<void>;
}

/** In the main process. @param makers by the name that files ask for */
export async function serveOnDemand(makers: Record<string, Maker>): Promise<OnDemand> {
  const scenes: Scene[] = [];
  const made = new Map<string, ReturnType<Maker>>();
  const make = (maker: Maker): ReturnType<Maker> => {
    const scene = new Scene();
    scenes.push(scene);
    return maker(scene);
  };
  const answerTo = async (name: string): Promise<unknown> => {
    const maker = makers[name];
    if (!maker) throw new Error(`nobody makes a ${name}`);
    const begun = made.get(name) ?? make(maker);
    made.set(name, begun);
    return (await begun)();
  };
  const server = http.createServer((request, response) => {
    void answerTo(request.url?.slice(1) ?? '').then(
      (value) => response.end(JSON.stringify({ value })),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      for (const scene of scenes.reverse()) await scene.close();
    },
  };
}
