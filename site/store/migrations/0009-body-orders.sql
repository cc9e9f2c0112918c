-- oldest-code: 8
ALTER TABLE `tasks` ADD `body_order_id` text;
CREATE UNIQUE INDEX `tasks_body_ordered` ON `tasks` (`body_order_id`) WHERE body_order_id is not null;
