-- oldest-code: 3
CREATE TABLE `uplink_orders` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`order_id` text NOT NULL,
	`tenant_code` text NOT NULL,
	`kind` text,
	`task_id` integer,
	`state` text NOT NULL,
	`feedback_id` text,
	`pending` text,
	`reason` text,
	`result` text,
	`at` integer NOT NULL
) STRICT;
CREATE UNIQUE INDEX `uplink_orders_order_id_unique` ON `uplink_orders` (`order_id`);
CREATE TABLE `work_changes` (
	`change_no` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_id` integer NOT NULL,
	`at` integer NOT NULL,
	`event_id` integer NOT NULL,
	`event_key` text
) STRICT;
CREATE UNIQUE INDEX `work_changes_subject` ON `work_changes` (`kind`,`subject_id`);
ALTER TABLE `incidents` ADD `instance` text;
ALTER TABLE `incidents` ADD `origin_id` integer;
ALTER TABLE `tasks` ADD `instance` text;
ALTER TABLE `tasks` ADD `origin_id` integer;
