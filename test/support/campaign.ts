/** How often the kill test of deliveries kills a hub; DELIVERY_KILLS=100 for the whole campaign. */
export const DELIVERY_KILLS = Number(process.env.DELIVERY_KILLS ?? 3);
/** How often the kill test of dataset pulls kills the hub; DATASET_KILLS=100 for the whole campaign. */
export const DATASET_KILLS = Number(process.env.DATASET_KILLS ?? 2);
