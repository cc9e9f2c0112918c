-- oldest-code: 1
CREATE TABLE `work_members` (
	`group_id` integer NOT NULL,
	`event_id` integer NOT NULL,
	PRIMARY KEY(`group_id`, `event_id`)
) STRICT, WITHOUT ROWID;
ALTER TABLE `work_changes` ADD `base_no` integer;
