-- oldest-code: 1
CREATE TABLE `admin_keys` (
	`name` text PRIMARY KEY NOT NULL,
	`secret_hash` text,
	`previous_hash` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`last_used_at` integer,
	`last_used_from` text,
	`removed_at` integer
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX `admin_keys_secret_hash_unique` ON `admin_keys` (`secret_hash`);
CREATE TABLE `agent_chains` (
	`tenant_code` text NOT NULL,
	`source_key` text NOT NULL,
	`layer` text NOT NULL,
	`chain_key` text NOT NULL,
	`site_ref` text NOT NULL,
	`point_ref` text,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`last_camera` text NOT NULL,
	`traits` text NOT NULL,
	`size` integer NOT NULL,
	`ripe` integer NOT NULL,
	`pending` text NOT NULL,
	`touched_at` integer NOT NULL,
	PRIMARY KEY(`tenant_code`, `source_key`)
) STRICT, WITHOUT ROWID;
CREATE INDEX `agent_chains_key` ON `agent_chains` (`tenant_code`,`layer`,`chain_key`,`last_at`);
CREATE INDEX `agent_chains_dirty` ON `agent_chains` (`touched_at`) WHERE ripe = 1 and pending <> '[]';
CREATE INDEX `agent_chains_touched` ON `agent_chains` (`touched_at`);
CREATE TABLE `agent_cooldowns` (
	`tenant_code` text NOT NULL,
	`camera` text NOT NULL,
	`event_type` text NOT NULL,
	`rule_name` text NOT NULL,
	`is_test` integer NOT NULL,
	`until` integer NOT NULL,
	`event_id` integer NOT NULL,
	PRIMARY KEY(`tenant_code`, `camera`, `event_type`, `rule_name`, `is_test`)
) STRICT, WITHOUT ROWID;
CREATE INDEX `agent_cooldowns_until` ON `agent_cooldowns` (`until`);
CREATE TABLE `agent_deadlines` (
	`task_id` integer PRIMARY KEY NOT NULL,
	`tenant_code` text NOT NULL,
	`event_id` integer,
	`rule_name` text,
	`channels` text NOT NULL,
	`message` text NOT NULL,
	`is_test` integer NOT NULL,
	`state` text NOT NULL,
	`escalate_at` integer NOT NULL,
	`settled_at` integer
) STRICT;
CREATE INDEX `agent_deadlines_due` ON `agent_deadlines` (`escalate_at`) WHERE state = 'pending';
CREATE TABLE `agent_decisions` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`tenant_code` text NOT NULL,
	`outcome` text NOT NULL,
	`rule_name` text,
	`rule_version` integer,
	`action` text NOT NULL,
	`task_id` integer,
	`note` text,
	`summary` text,
	`decided_at` integer NOT NULL
) STRICT;
CREATE INDEX `agent_decisions_summary` ON `agent_decisions` (`event_id`) WHERE summary = 'pending';
CREATE INDEX `agent_decisions_tenant` ON `agent_decisions` (`tenant_code`,`event_id`);
CREATE TABLE `agent_states` (
	`name` text PRIMARY KEY NOT NULL,
	`lease` text,
	`leased_until` integer NOT NULL,
	`steady_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE `alarm_notices` (
	`channel_id` text NOT NULL,
	`instance` text NOT NULL,
	`key` text NOT NULL,
	`severity` text NOT NULL,
	`message` text NOT NULL,
	`message_zh` text,
	`raised_at` integer NOT NULL,
	`told_at` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `instance`, `key`)
) STRICT;
CREATE TABLE `alarms` (
	`instance` text NOT NULL,
	`key` text NOT NULL,
	`tenant_code` text,
	`severity` text NOT NULL,
	`message` text NOT NULL,
	`details` text,
	`raised_at` integer NOT NULL,
	`count` integer NOT NULL,
	`last_at` integer NOT NULL,
	`cleared_at` integer,
	`taken_by` text,
	`taken_at` integer,
	PRIMARY KEY(`instance`, `key`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `audit` (
	`at` integer NOT NULL,
	`id` text NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`tenant_code` text,
	`before` text,
	`after` text,
	PRIMARY KEY(`at`, `id`)
) STRICT, WITHOUT ROWID;
CREATE INDEX `audit_subject` ON `audit` (`subject`,`at`);
CREATE TABLE `camera_activity` (
	`key_id` text NOT NULL,
	`camera_ref` text NOT NULL,
	`last_at` integer NOT NULL,
	`events` integer NOT NULL,
	PRIMARY KEY(`key_id`, `camera_ref`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `care_requests` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`request_id` text NOT NULL,
	`asked` text NOT NULL,
	`state` text NOT NULL,
	`at` integer NOT NULL,
	`exit` integer,
	`text` text,
	`file` text,
	`file_sent` integer NOT NULL,
	`told` text
) STRICT;
CREATE UNIQUE INDEX `care_requests_request_id_unique` ON `care_requests` (`request_id`);
CREATE INDEX `care_requests_state` ON `care_requests` (`state`,`seq`);
CREATE TABLE `changes` (
	`seq` integer PRIMARY KEY NOT NULL,
	`no` integer,
	`kind` text NOT NULL,
	`subject_id` integer NOT NULL,
	`at` integer NOT NULL,
	`event_id` integer NOT NULL,
	`event_key` text,
	`base_no` integer
) STRICT;
CREATE UNIQUE INDEX `changes_no_unique` ON `changes` (`no`);
CREATE UNIQUE INDEX `changes_subject` ON `changes` (`kind`,`subject_id`);
CREATE INDEX `changes_early` ON `changes` (`event_id`) WHERE no is null;
CREATE TABLE `channels` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_code` text NOT NULL,
	`name` text NOT NULL,
	`channel` text NOT NULL,
	`format` text NOT NULL,
	`url_ref` text NOT NULL,
	`url_host` text NOT NULL,
	`secret_ref` text,
	`recipients` text NOT NULL,
	`body_template` text,
	`content_type` text,
	`mail` text,
	`enabled` integer NOT NULL,
	`alarms` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
CREATE UNIQUE INDEX `channels_name` ON `channels` (`tenant_code`,`name`);
CREATE TABLE `corrections` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`event_id` integer NOT NULL,
	`tenant_code` text NOT NULL,
	`verdict` text NOT NULL,
	`by` text NOT NULL,
	`by_kind` text NOT NULL,
	`note` text NOT NULL,
	`merged_into` integer,
	`merged_into_key` text,
	`merged_into_instance` text,
	`at` integer NOT NULL
) STRICT;
CREATE UNIQUE INDEX `corrections_id_unique` ON `corrections` (`id`);
CREATE INDEX `corrections_event` ON `corrections` (`event_id`,`seq`);
CREATE TABLE `device_episodes` (
	`key_id` text NOT NULL,
	`alarm` text NOT NULL,
	`opened_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`reports` integer NOT NULL,
	`closed_at` integer,
	`ended_by` text,
	`device_from` integer,
	`device_until` integer,
	`repeats` integer NOT NULL,
	`report` text NOT NULL,
	`pending` text,
	`event_id` integer,
	PRIMARY KEY(`key_id`, `alarm`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `device_refusals` (
	`key_id` text PRIMARY KEY NOT NULL,
	`settings` text NOT NULL,
	`failures` integer NOT NULL,
	`until` integer NOT NULL,
	`fault` text NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE `devices` (
	`key_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`token_hash` text NOT NULL,
	`secret_ref` text,
	`config` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX `devices_token_hash_unique` ON `devices` (`token_hash`);
CREATE TABLE `disk` (
	`name` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE `event_days` (
	`start_at` integer NOT NULL,
	`group_id` integer NOT NULL,
	`count` integer NOT NULL,
	`first_id` integer NOT NULL,
	`last_id` integer NOT NULL,
	`tenant_code` text NOT NULL,
	PRIMARY KEY(`start_at`, `group_id`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `event_facts` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`group_id` integer NOT NULL,
	`place_id` integer NOT NULL,
	`occurred_at` integer,
	`tenant_code` text NOT NULL
) STRICT;
CREATE TABLE `event_groups` (
	`id` integer PRIMARY KEY NOT NULL,
	`tenant_code` text NOT NULL,
	`type` text NOT NULL,
	`kind` text NOT NULL,
	`source` text NOT NULL,
	`verdict` text,
	`corrected_to` text,
	`is_test` integer NOT NULL,
	`judged` integer NOT NULL,
	`judged_type` text,
	`severity` text NOT NULL,
	`instance` text
) STRICT;
CREATE UNIQUE INDEX `event_groups_key` ON `event_groups` (`tenant_code`,`type`,`kind`,`source`,`verdict`,
		`corrected_to`,`is_test`,`judged`,`judged_type`,`severity`,`instance`);
CREATE TABLE `event_hours` (
	`start_at` integer NOT NULL,
	`group_id` integer NOT NULL,
	`count` integer NOT NULL,
	`tenant_code` text NOT NULL,
	PRIMARY KEY(`start_at`, `group_id`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `event_places` (
	`id` integer PRIMARY KEY NOT NULL,
	`tenant_code` text NOT NULL,
	`site_ref` text,
	`camera_ref` text,
	`instance` text
) STRICT;
CREATE UNIQUE INDEX `event_places_key` ON `event_places` (`tenant_code`,`site_ref`,`camera_ref`,`instance`);
CREATE TABLE `events` (
	`id` integer PRIMARY KEY NOT NULL,
	`tenant_code` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`type` text NOT NULL,
	`kind` text NOT NULL,
	`source` text NOT NULL,
	`severity` text,
	`occurred_at` integer,
	`received_at` integer NOT NULL,
	`is_test` integer NOT NULL,
	`node_key` text,
	`instance` text,
	`origin_id` integer,
	`origin_received_at` integer,
	`doc` text NOT NULL
) STRICT;
CREATE TABLE `evidence_files` (
	`tenant_code` text NOT NULL,
	`event_id` integer NOT NULL,
	`name` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`stored_at` integer NOT NULL,
	`held_by` text,
	`offered_to` text,
	PRIMARY KEY(`event_id`, `name`)
) STRICT, WITHOUT ROWID;
CREATE INDEX `evidence_files_size` ON `evidence_files` (`tenant_code`,`size`);
CREATE TABLE `evidence_gone` (
	`event_id` integer NOT NULL,
	`name` text NOT NULL,
	`at` integer NOT NULL,
	`told` integer NOT NULL,
	PRIMARY KEY(`event_id`, `name`)
) STRICT, WITHOUT ROWID;
CREATE INDEX `evidence_gone_untold` ON `evidence_gone` (`event_id`) WHERE told = 0;
CREATE TABLE `evidence_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_code` text NOT NULL,
	`event_id` integer NOT NULL,
	`name` text NOT NULL,
	`consumer` text NOT NULL,
	`put_url` text NOT NULL,
	`access` text,
	`state` text NOT NULL,
	`last_error` text,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`settled_at` integer
) STRICT;
CREATE INDEX `evidence_jobs_due` ON `evidence_jobs` (`next_at`) WHERE state = 'pending';
CREATE INDEX `evidence_jobs_file` ON `evidence_jobs` (`event_id`,`name`) WHERE state = 'pending';
CREATE INDEX `evidence_jobs_created` ON `evidence_jobs` (`created_at`,`id`);
CREATE INDEX `evidence_jobs_failed` ON `evidence_jobs` (`id`) WHERE state = 'failed';
CREATE TABLE `feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` integer NOT NULL,
	`tenant_code` text NOT NULL,
	`kind` text NOT NULL,
	`url` text NOT NULL,
	`node_key` text,
	`body` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`delivered_at` integer
) STRICT;
CREATE INDEX `feedback_due` ON `feedback` (`next_at`) WHERE state = 'pending';
CREATE INDEX `feedback_event` ON `feedback` (`event_id`);
CREATE INDEX `feedback_expired` ON `feedback` (`id`) WHERE state = 'expired';
CREATE TABLE `forgotten_keys` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`hash` integer NOT NULL,
	`digest` blob NOT NULL
) STRICT;
CREATE TABLE `group_additions` (
	`group_id` integer NOT NULL,
	`event_id` integer NOT NULL,
	PRIMARY KEY(`group_id`, `event_id`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `history` (
	`at` integer PRIMARY KEY NOT NULL,
	`received` integer NOT NULL,
	`backlog` integer NOT NULL,
	`room` integer
) STRICT;
CREATE TABLE `incident_members` (
	`incident_id` integer NOT NULL,
	`event_id` integer NOT NULL,
	`tenant_code` text NOT NULL,
	`layer` text NOT NULL,
	`at` integer NOT NULL,
	`type` text NOT NULL,
	`source` text NOT NULL,
	`severity` text,
	`is_test` integer NOT NULL,
	`live` integer NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`incident_id`, `event_id`)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX `incident_members_live` ON `incident_members` (`event_id`,`layer`) WHERE live = 1;
CREATE INDEX `incident_members_former` ON `incident_members` (`event_id`) WHERE live = 0;
CREATE TABLE `incidents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_code` text NOT NULL,
	`instance` text,
	`origin_id` integer,
	`source_key` text,
	`layer` text NOT NULL,
	`site_ref` text NOT NULL,
	`point_ref` text,
	`title` text,
	`state` text NOT NULL,
	`state_before` text,
	`merged_into` integer,
	`split_from` integer,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`event_types` text NOT NULL,
	`sources` text NOT NULL,
	`severity` text NOT NULL,
	`member_count` integer NOT NULL,
	`test_member_count` integer NOT NULL,
	`is_test` integer NOT NULL,
	`first_event_id` integer,
	`first_event_at` integer,
	`first_locked` integer NOT NULL,
	`confirmed_by` text,
	`confirmed_at` integer,
	`closed_at` integer,
	`cleared_count` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
CREATE UNIQUE INDEX `incidents_source` ON `incidents` (`tenant_code`,`source_key`)
		WHERE source_key is not null;
CREATE INDEX `incidents_order` ON `incidents` (`last_at`,`id`,`is_test`,`state`,`layer`,`tenant_code`,
		`site_ref`);
CREATE INDEX `incidents_merged` ON `incidents` (`merged_into`) WHERE merged_into is not null;
CREATE TABLE `key_chunks` (
	`id` integer PRIMARY KEY NOT NULL,
	`data` blob NOT NULL
) STRICT;
CREATE TABLE `key_runs` (
	`run` integer PRIMARY KEY NOT NULL,
	`level` integer NOT NULL,
	`keys` integer NOT NULL,
	`fences` blob NOT NULL,
	`bloom` blob NOT NULL
) STRICT;
CREATE TABLE `keys` (
	`key_id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`tenant_code` text,
	`subject` text NOT NULL,
	`scopes` text,
	`secret_ref` text NOT NULL,
	`previous_ref` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`removed_at` integer
) STRICT, WITHOUT ROWID;
CREATE TABLE `libraries` (
	`seq` integer PRIMARY KEY NOT NULL,
	`tenant_code` text NOT NULL,
	`hub_epoch` text NOT NULL,
	`through` integer NOT NULL,
	`whole` integer NOT NULL,
	`round` integer NOT NULL,
	`told` text,
	`digest` text,
	`synonyms` text NOT NULL,
	`version` text,
	`state` text NOT NULL,
	`reason` text,
	`at` integer NOT NULL
) STRICT;
CREATE UNIQUE INDEX `libraries_tenant_code_unique` ON `libraries` (`tenant_code`);
CREATE TABLE `library_clauses` (
	`tenant_code` text NOT NULL,
	`doc_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`id` integer NOT NULL,
	`path` text,
	`page` integer,
	`text` text NOT NULL,
	`text_sha256` text NOT NULL,
	`change_no` integer NOT NULL,
	PRIMARY KEY(`tenant_code`, `doc_id`, `seq`)
) STRICT, WITHOUT ROWID;
CREATE INDEX `library_clauses_id` ON `library_clauses` (`id`);
CREATE INDEX `library_clauses_change` ON `library_clauses` (`change_no`);
CREATE TABLE `library_files` (
	`tenant_code` text NOT NULL,
	`id` integer NOT NULL,
	`policy_id` integer NOT NULL,
	`title` text NOT NULL,
	`doc_no` text,
	`version` text NOT NULL,
	`src_system` text NOT NULL,
	`src_key` text NOT NULL,
	`level` integer NOT NULL,
	`effective_date` text,
	`expiry_date` text,
	`valid_from` integer NOT NULL,
	`valid_until` integer NOT NULL,
	`scheduled` integer NOT NULL,
	`text_no` integer NOT NULL,
	`clauses` integer NOT NULL,
	`text_sha256` text NOT NULL,
	`ends_at` integer NOT NULL,
	`state` text NOT NULL,
	`round` integer NOT NULL,
	`change_no` integer NOT NULL,
	PRIMARY KEY(`tenant_code`, `id`)
) STRICT, WITHOUT ROWID;
CREATE INDEX `library_files_change` ON `library_files` (`change_no`);
CREATE INDEX `library_files_policy` ON `library_files` (`tenant_code`,`policy_id`);
CREATE TABLE `login_attempts` (
	`scope` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`last_at` integer NOT NULL,
	`blocked_until` integer NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE `model_calls` (
	`tenant_code` text NOT NULL,
	`day` text NOT NULL,
	`kind` text NOT NULL,
	`calls` integer NOT NULL,
	`tokens` integer NOT NULL,
	`most` integer NOT NULL,
	PRIMARY KEY(`tenant_code`, `day`, `kind`)
) STRICT;
CREATE TABLE `node_activity` (
	`key_id` text PRIMARY KEY NOT NULL,
	`last_at` integer NOT NULL,
	`events` integer NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE `notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_code` text NOT NULL,
	`seq` integer NOT NULL,
	`event_id` integer,
	`task_id` integer,
	`kind` text NOT NULL,
	`channel` text NOT NULL,
	`channel_id` text,
	`handover` text,
	`delivered_by` text,
	`instance` text,
	`origin_id` text,
	`rule_name` text,
	`severity` text NOT NULL,
	`message` text NOT NULL,
	`is_test` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`settled_at` integer
) STRICT;
CREATE UNIQUE INDEX `notifications_seq_unique` ON `notifications` (`seq`);
CREATE INDEX `notifications_due` ON `notifications` (`next_at`) WHERE state = 'pending';
CREATE INDEX `notifications_failed` ON `notifications` (`seq`) WHERE state = 'failed';
CREATE INDEX `notifications_tenant` ON `notifications` (`tenant_code`,`seq`);
CREATE INDEX `notifications_event` ON `notifications` (`event_id`,`seq`) WHERE event_id is not null;
CREATE INDEX `notifications_handover` ON `notifications` (`seq`)
		WHERE handover is not null and state = 'pending';
CREATE TABLE `push_states` (
	`consumer` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`next_at` integer NOT NULL,
	`last_error` text,
	`last_success_at` integer,
	`receipt_faults` integer NOT NULL,
	`last_receipt_fault` text,
	`lease` text,
	`leased_until` integer NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE `retention` (
	`name` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE `rules` (
	`tenant_code` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`version` integer NOT NULL,
	`body` text NOT NULL,
	`by` text NOT NULL,
	`created_at` integer NOT NULL,
	`deleted` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`tenant_code`, `kind`, `name`, `version`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `secrets` (
	`tenant_code` text NOT NULL,
	`name` text NOT NULL,
	`use` text NOT NULL,
	`host` text NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`tenant_code`, `name`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_name` text NOT NULL,
	`role` text NOT NULL,
	`tenant_code` text,
	`permissions` text,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ip` text NOT NULL,
	`user_agent` text
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);
CREATE TABLE `stepped_over` (
	`work` text NOT NULL,
	`tenant_code` text NOT NULL,
	`row_id` integer NOT NULL,
	`reason` text NOT NULL,
	`first_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	PRIMARY KEY(`tenant_code`, `work`, `row_id`)
) STRICT;
CREATE TABLE `subscriptions` (
	`consumer` text PRIMARY KEY NOT NULL,
	`tenant_code` text,
	`event_types` text,
	`min_severity` text,
	`push_url` text,
	`secret_ref` text,
	`enabled` integer NOT NULL,
	`cursor` integer NOT NULL,
	`push_cursor` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE `task_entries` (
	`task_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`tenant_code` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`doc` text NOT NULL,
	`order_id` text,
	PRIMARY KEY(`task_id`, `seq`)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX `task_entries_ordered` ON `task_entries` (`order_id`) WHERE order_id is not null;
CREATE TABLE `tasks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_code` text NOT NULL,
	`instance` text,
	`origin_id` integer,
	`type` text NOT NULL,
	`state` text NOT NULL,
	`event_id` integer,
	`title` text NOT NULL,
	`severity` text NOT NULL,
	`assignee_org` text,
	`due_at` integer,
	`suppressed` integer NOT NULL,
	`escalated_at` integer,
	`result_code` text,
	`body` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`taken_over_at` integer,
	`taken_over_by` text,
	`completed_at` integer,
	`closed_at` integer,
	`cancelled_at` integer,
	`entry_count` integer NOT NULL,
	`step_count` integer NOT NULL,
	`note_count` integer NOT NULL,
	`refusal_count` integer NOT NULL,
	`order_id` text,
	`body_order_id` text
) STRICT;
CREATE UNIQUE INDEX `tasks_ordered` ON `tasks` (`order_id`) WHERE order_id is not null;
CREATE UNIQUE INDEX `tasks_body_ordered` ON `tasks` (`body_order_id`) WHERE body_order_id is not null;
CREATE INDEX `tasks_event` ON `tasks` (`event_id`,`id`) WHERE event_id is not null;
CREATE INDEX `tasks_state` ON `tasks` (`tenant_code`,`state`,`id`);
CREATE INDEX `tasks_due` ON `tasks` (`due_at`) WHERE state = 'open' and due_at is not null;
CREATE INDEX `tasks_created` ON `tasks` (`tenant_code`,`created_at`,`id`);
CREATE TABLE `uplink_channels` (
	`name` text PRIMARY KEY NOT NULL,
	`hub_epoch` text,
	`cursor` integer NOT NULL,
	`cursor_at` integer,
	`last_ack_at` integer,
	`sent_total` integer NOT NULL,
	`duplicate_total` integer NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE `uplink_inbox` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`received_at` integer NOT NULL,
	`failures` integer NOT NULL,
	`error` text,
	`due_at` integer NOT NULL
) STRICT;
CREATE UNIQUE INDEX `uplink_inbox_id` ON `uplink_inbox` (`kind`,`id`);
CREATE INDEX `uplink_inbox_subject` ON `uplink_inbox` (`subject`,`seq`);
CREATE TABLE `uplink_inbox_place` (
	`hub_epoch` text PRIMARY KEY NOT NULL,
	`through` integer NOT NULL
) STRICT;
CREATE TABLE `uplink_offers` (
	`event_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`event_id`, `name`)
) STRICT, WITHOUT ROWID;
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
	`told` text,
	`result` text,
	`at` integer NOT NULL
) STRICT;
CREATE UNIQUE INDEX `uplink_orders_order_id_unique` ON `uplink_orders` (`order_id`);
CREATE TABLE `uplink_parked` (
	`channel` text NOT NULL,
	`origin_id` integer NOT NULL,
	`error` text NOT NULL,
	`message` text NOT NULL,
	`state` text NOT NULL,
	`count` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`channel`, `origin_id`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `uplink_previews` (
	`event_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`event_id`, `name`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `uplink_wants` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`tenant_code` text NOT NULL,
	`event_id` integer NOT NULL,
	`event_key` text NOT NULL,
	`name` text NOT NULL,
	`offered` integer NOT NULL,
	`asked_at` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`at` integer,
	`told` text
) STRICT, WITHOUT ROWID;
CREATE TABLE `verdict_changes` (
	`change_no` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`event_id` integer NOT NULL,
	`tenant_code` text NOT NULL,
	`kind` text NOT NULL,
	`decision_id` text,
	`body` text NOT NULL
) STRICT;
CREATE UNIQUE INDEX `verdict_changes_decision` ON `verdict_changes` (`decision_id`)
		WHERE decision_id is not null;
CREATE TABLE `verdicts` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`tenant_code` text NOT NULL,
	`verdict` text NOT NULL,
	`by` text NOT NULL,
	`by_kind` text NOT NULL,
	`note` text,
	`merged_into` integer,
	`merged_into_key` text,
	`merged_into_instance` text,
	`judged` text,
	`disposition` text,
	`at` integer NOT NULL,
	`decision_id` text
) STRICT;
