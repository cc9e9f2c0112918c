-- oldest-code: 1
ALTER TABLE `uplink_orders` ADD `told` text;
