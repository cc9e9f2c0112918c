-- oldest-code: 10
ALTER TABLE `rules` ADD `deleted` integer DEFAULT false NOT NULL;
