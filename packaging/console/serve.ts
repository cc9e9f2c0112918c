// `npm run console`: the console from its source, loaded anew as it is changed, on the API of a running hub.
//   npm run console -- [--hub http://127.0.0.1:8090] [--port 5173]
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import { settings } from './settings.ts';

const { values } = parseArgs({
  options: {
    hub: { type: 'string', default: 'http://127.0.0.1:8090' },
    port: { type: 'string', default: '5173' },
  },
});
const server = await createServer({
  ...settings,
  server: {
    host: '127.0.0.1',
    port: Number(values.port),
    proxy: { '^/(?:api|open|docs|openapi\\.json)(?:/|$)': { target: values.hub, xfwd: true } },
  },
  logLevel: 'info',
});
await server.listen();
process.stdout.write(`the API is that of ${values.hub}\n`);
server.printUrls();
