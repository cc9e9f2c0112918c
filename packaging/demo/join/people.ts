import type { ApiClient } from '../../../common/terminal/api.ts';
import type { DemoState } from '../state.ts';

/** Who may log in to the console of the demonstration. */
export interface DemoPerson {
  name: string;
  password: string;
}

/** One who sees all, and one of a customer who sees only what is their tenant's. */
export interface DemoPeople {
  operator: DemoPerson;
  customer: DemoPerson;
}

const OPERATOR = 'operator';
const CUSTOMER = 'customer';

/** Gives both a password of this demonstration's own, the same at every start. */
export async function joinPeople(hub: ApiClient, state: DemoState, tenant: string): Promise<DemoPeople> {
  const { items } = await hub.call<{ items: { name: string }[] }>('GET', '/api/core/users?limit=1000');
  const join = async (name: string, role: object): Promise<DemoPerson> => {
    const password = state.password(name);
    if (!items.some((user) => user.name === name))
      await hub.call('POST', '/api/core/users', { name, password, ...role });
    return { name, password };
  };
  return {
    operator: await join(OPERATOR, { role: 'operator' }),
    customer: await join(CUSTOMER, { role: 'customer', tenant_code: tenant }),
  };
}
