// All tables of headquarters. They are the one source of its database: `npm run schema` makes the migrations
// of them.
export * from './auth/store/schema.ts';
export * from './camera/store/schema.ts';
export * from './dataset/store/schema.ts';
export * from './dataset/store/served-schema.ts';
export * from './duty/store/schema.ts';
export * from './fleet/store/settings-schema.ts';
export * from './fleet/store/request-schema.ts';
export * from './fleet/store/release-schema.ts';
export * from './fleet/store/rollout-schema.ts';
export * from './fleet/store/upgrade-schema.ts';
export * from './integration/store/schema.ts';
export * from './knowledge/store/schema.ts';
export * from './notification/store/schema.ts';
export * from './plan/store/schema.ts';
export * from './policy/store/schema.ts';
export * from './project/store/schema.ts';
export * from './evidence/store/schema.ts';
export * from './receiver/store/schema.ts';
export * from './store/schema/tables.ts';
