import type { Route } from '../../common/http/route.ts';
import type { Base, HubModule } from './base.ts';

/** What programs of a model call; loaded where it is switched on alone (`CORE_MCP`). */
export async function mcpOf({ store, clock, log }: Base, routes: () => readonly Route[]): Promise<HubModule> {
  const { Mcp } = await import('../mcp/module.ts');
  const { route, metrics } = new Mcp({ routes, audit: store.audit, clock, log });
  return { routes: [route], metrics };
}
