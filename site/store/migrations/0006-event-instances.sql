-- oldest-code: 1
DROP INDEX `event_places_key`;
ALTER TABLE `event_places` ADD `instance` text;
CREATE UNIQUE INDEX `event_places_key` ON `event_places` (`tenant_code`,`site_ref`,`camera_ref`,`instance`);
