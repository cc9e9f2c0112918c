-- oldest-code: 1
ALTER TABLE `tasks` ADD `taken_over_by` text;
