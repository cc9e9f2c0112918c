-- oldest-code: 1
CREATE TABLE `evidence_gone` (
	`event_id` integer NOT NULL,
	`name` text NOT NULL,
	`at` integer NOT NULL,
	`told` integer NOT NULL,
	PRIMARY KEY(`event_id`, `name`)
) STRICT, WITHOUT ROWID;
CREATE INDEX `evidence_gone_untold` ON `evidence_gone` (`event_id`) WHERE told = 0;
CREATE TABLE `uplink_offers` (
	`event_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`event_id`, `name`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `uplink_wants` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`tenant_code` text NOT NULL,
	`event_id` integer NOT NULL,
	`event_key` text NOT NULL,
	`name` text NOT NULL,
	`offered` integer NOT NULL,
	`asked_at` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`at` integer,
	`told` text
) STRICT, WITHOUT ROWID;
