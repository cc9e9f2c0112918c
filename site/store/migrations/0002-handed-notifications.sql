-- oldest-code: 1
ALTER TABLE `notifications` ADD `handover` text;
ALTER TABLE `notifications` ADD `delivered_by` text;
ALTER TABLE `notifications` ADD `instance` text;
ALTER TABLE `notifications` ADD `origin_id` text;
CREATE INDEX `notifications_handover` ON `notifications` (`seq`)
		WHERE handover is not null and state = 'pending';
