-- oldest-code: 1
ALTER TABLE `task_entries` ADD `order_id` text;
CREATE UNIQUE INDEX `task_entries_ordered` ON `task_entries` (`order_id`) WHERE order_id is not null;
ALTER TABLE `tasks` ADD `order_id` text;
CREATE UNIQUE INDEX `tasks_ordered` ON `tasks` (`order_id`) WHERE order_id is not null;
UPDATE tasks SET order_id = o.order_id FROM uplink_orders o WHERE o.task_id = tasks.id AND o.kind = 'create';
