-- oldest-code: 1
CREATE TABLE `device_episodes` (
	`key_id` text NOT NULL,
	`alarm` text NOT NULL,
	`opened_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`reports` integer NOT NULL,
	`closed_at` integer,
	`ended_by` text,
	`device_from` integer,
	`device_until` integer,
	`repeats` integer NOT NULL,
	`pending` text,
	`event_id` integer,
	PRIMARY KEY(`key_id`, `alarm`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `devices` (
	`key_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`token_hash` text NOT NULL,
	`secret_ref` text,
	`config` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX `devices_token_hash_unique` ON `devices` (`token_hash`);
