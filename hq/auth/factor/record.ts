/** Who must prove more than a password; whoever has set a second factor is asked for it in any case. */
export const demands = ['optional', 'operators', 'all'] as const;
export type Demand = (typeof demands)[number];
