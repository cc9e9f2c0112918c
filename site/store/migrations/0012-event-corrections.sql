-- oldest-code: 12
-- The index of events is made anew while the site works, as by 0008: until then lists and statistics read
-- rows, and are as right as before.
DELETE FROM `event_facts`;
DELETE FROM `event_hours`;
DELETE FROM `event_days`;
DELETE FROM `event_groups`;
DELETE FROM `meta` WHERE `key` IN ('index_events_upto', 'index_changes_upto', 'indexed_events');
DROP INDEX `event_groups_key`;
ALTER TABLE `event_groups` ADD `corrected_to` text;
CREATE UNIQUE INDEX `event_groups_key` ON `event_groups` (`tenant_code`,`type`,`kind`,`source`,`verdict`,
		`corrected_to`,`is_test`,`judged`,`judged_type`,`severity`,`instance`);
