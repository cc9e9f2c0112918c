-- oldest-code: 1
CREATE TABLE "admin_keys" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"secret_hash" text collate "C",
	"previous_hash" text collate "C",
	"previous_until" bigint,
	"created_at" bigint NOT NULL,
	"created_by" text collate "C" NOT NULL,
	"last_used_at" bigint,
	"last_used_from" text collate "C",
	"removed_at" bigint,
	CONSTRAINT "admin_keys_secret_hash_unique" UNIQUE("secret_hash")
);
CREATE TABLE "agent_chains" (
	"tenant_code" text collate "C" NOT NULL,
	"source_key" text collate "C" NOT NULL,
	"layer" text collate "C" NOT NULL,
	"chain_key" text collate "C" NOT NULL,
	"site_ref" text collate "C" NOT NULL,
	"point_ref" text collate "C",
	"first_at" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	"last_camera" text collate "C" NOT NULL,
	"traits" text NOT NULL,
	"size" integer NOT NULL,
	"ripe" boolean NOT NULL,
	"pending" text NOT NULL,
	"touched_at" bigint NOT NULL,
	CONSTRAINT "agent_chains_tenant_code_source_key_pk" PRIMARY KEY("tenant_code","source_key")
);
CREATE TABLE "agent_cooldowns" (
	"tenant_code" text collate "C" NOT NULL,
	"camera" text collate "C" NOT NULL,
	"event_type" text collate "C" NOT NULL,
	"rule_name" text collate "C" NOT NULL,
	"is_test" boolean NOT NULL,
	"until" bigint NOT NULL,
	"event_id" bigint NOT NULL,
	CONSTRAINT "agent_cooldowns_tenant_code_camera_event_type_rule_name_is_test_pk" PRIMARY KEY("tenant_code",
		"camera","event_type","rule_name","is_test")
);
CREATE TABLE "agent_deadlines" (
	"task_id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"event_id" bigint,
	"rule_name" text collate "C",
	"channels" text NOT NULL,
	"message" text collate "C" NOT NULL,
	"is_test" boolean NOT NULL,
	"state" text collate "C" NOT NULL,
	"escalate_at" bigint NOT NULL,
	"settled_at" bigint,
	CONSTRAINT "agent_deadlines_tenant_code_task_id_pk" PRIMARY KEY("tenant_code","task_id")
);
CREATE TABLE "agent_decisions" (
	"event_id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"outcome" text collate "C" NOT NULL,
	"rule_name" text collate "C",
	"rule_version" integer,
	"action" text collate "C" NOT NULL,
	"task_id" bigint,
	"note" text collate "C",
	"summary" text collate "C",
	"decided_at" bigint NOT NULL,
	CONSTRAINT "agent_decisions_tenant_code_event_id_pk" PRIMARY KEY("tenant_code","event_id")
);
CREATE TABLE "agent_states" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"lease" text collate "C",
	"leased_until" bigint NOT NULL,
	"steady_at" bigint NOT NULL
);
CREATE TABLE "alarm_notices" (
	"channel_id" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"key" text collate "C" NOT NULL,
	"severity" text collate "C" NOT NULL,
	"message" text collate "C" NOT NULL,
	"message_zh" text collate "C",
	"raised_at" bigint NOT NULL,
	"told_at" bigint NOT NULL,
	CONSTRAINT "alarm_notices_channel_id_instance_key_pk" PRIMARY KEY("channel_id","instance","key")
);
CREATE TABLE "alarms" (
	"key" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"tenant_code" text collate "C",
	"severity" text collate "C" NOT NULL,
	"message" text collate "C" NOT NULL,
	"details" text,
	"raised_at" bigint NOT NULL,
	"count" integer NOT NULL,
	"last_at" bigint NOT NULL,
	"cleared_at" bigint,
	"taken_by" text collate "C",
	"taken_at" bigint,
	CONSTRAINT "alarms_instance_key_pk" PRIMARY KEY("instance","key")
);
CREATE TABLE "audit" (
	"id" text collate "C" NOT NULL,
	"at" bigint NOT NULL,
	"actor" text collate "C" NOT NULL,
	"action" text collate "C" NOT NULL,
	"subject" text collate "C" NOT NULL,
	"tenant_code" text collate "C",
	"before" text,
	"after" text,
	CONSTRAINT "audit_at_id_pk" PRIMARY KEY("at","id")
);
CREATE TABLE "business_events" (
	"tenant_code" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"event" text collate "C" NOT NULL,
	"body" text collate "C" NOT NULL,
	"core_event_id" bigint,
	"at" bigint NOT NULL,
	CONSTRAINT "business_events_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "camera_names" (
	"tenant_code" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"camera_ref" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	CONSTRAINT "camera_names_tenant_code_instance_camera_ref_pk" PRIMARY KEY("tenant_code","instance",
		"camera_ref")
);
CREATE TABLE "channels" (
	"id" text collate "C" NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"channel" text collate "C" NOT NULL,
	"format" text collate "C" NOT NULL,
	"url_ref" text collate "C" NOT NULL,
	"url_host" text collate "C" NOT NULL,
	"secret_ref" text collate "C",
	"recipients" text NOT NULL,
	"body_template" text collate "C",
	"content_type" text collate "C",
	"mail" text,
	"enabled" boolean NOT NULL,
	"alarms" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "channels_tenant_code_id_pk" PRIMARY KEY("tenant_code","id"),
	CONSTRAINT "channels_name" UNIQUE("tenant_code","name")
);
CREATE TABLE "corrections" (
	"seq" bigint NOT NULL,
	"id" text collate "C" NOT NULL,
	"event_id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"verdict" text collate "C" NOT NULL,
	"by" text collate "C" NOT NULL,
	"by_kind" text collate "C" NOT NULL,
	"note" text collate "C" NOT NULL,
	"merged_into" bigint,
	"merged_into_key" text collate "C",
	"merged_into_instance" text collate "C",
	"at" bigint NOT NULL,
	CONSTRAINT "corrections_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "counters" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL,
	"at" bigint NOT NULL
);
CREATE TABLE "dataset_rows" (
	"tenant_code" text collate "C" NOT NULL,
	"source_id" text collate "C" NOT NULL,
	"dataset" text collate "C" NOT NULL,
	"pk" text collate "C" NOT NULL,
	"updated_at" text collate "C" NOT NULL,
	"deleted" boolean NOT NULL,
	"generation" integer NOT NULL,
	"fields" text collate "C" NOT NULL,
	CONSTRAINT "dataset_rows_tenant_code_source_id_dataset_pk_pk" PRIMARY KEY("tenant_code","source_id",
		"dataset","pk")
);
CREATE TABLE "dataset_sources" (
	"id" text collate "C" NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"base_url" text collate "C" NOT NULL,
	"key_id" text collate "C" NOT NULL,
	"secret_ref" text collate "C" NOT NULL,
	"schedule" text collate "C" NOT NULL,
	"enabled" boolean NOT NULL,
	"page_rows" integer NOT NULL,
	"overlap_ms" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"next_run_at" bigint,
	"failures" integer NOT NULL,
	"last_error" text collate "C",
	"lease" text collate "C",
	"leased_until" bigint NOT NULL,
	CONSTRAINT "dataset_sources_tenant_code_id_pk" PRIMARY KEY("tenant_code","id"),
	CONSTRAINT "dataset_sources_name" UNIQUE("tenant_code","name")
);
CREATE TABLE "decisions" (
	"id" text collate "C" NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"event_id" bigint NOT NULL,
	"change_no" bigint NOT NULL,
	"kind" text collate "C" NOT NULL,
	"body" text collate "C" NOT NULL,
	"state" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"settled_at" bigint,
	"note" text collate "C",
	"told" text,
	CONSTRAINT "decisions_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "duty_call_events" (
	"event_id" bigint NOT NULL,
	"call_id" text collate "C" NOT NULL,
	CONSTRAINT "duty_call_events_event_id_pk" PRIMARY KEY("event_id")
);
CREATE TABLE "duty_calls" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"kind" text collate "C" NOT NULL,
	"event_id" bigint,
	"alarm_key" text collate "C",
	"instance" text collate "C",
	"tenant_code" text collate "C",
	"severity" text collate "C" NOT NULL,
	"type" text collate "C",
	"title" text collate "C",
	"title_zh" text collate "C",
	"camera" text collate "C",
	"place" text collate "C",
	"at" bigint NOT NULL,
	"state" text collate "C" NOT NULL,
	"rota_id" text collate "C",
	"round" integer NOT NULL,
	"called" text[] NOT NULL,
	"next_at" bigint,
	"events" integer NOT NULL,
	"last_event_at" bigint NOT NULL,
	"taken_by" text collate "C",
	"taken_at" bigint,
	"created_at" bigint NOT NULL
);
CREATE TABLE "duty_cursor" (
	"only" boolean PRIMARY KEY NOT NULL,
	"event_id" bigint NOT NULL
);
CREATE TABLE "duty_devices" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"user_name" text collate "C" NOT NULL,
	"endpoint_hash" text collate "C" NOT NULL,
	"host" text collate "C" NOT NULL,
	"sealed" text collate "C" NOT NULL,
	"label" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_sent_at" bigint,
	"last_error" text collate "C"
);
CREATE TABLE "duty_people" (
	"user_name" text collate "C" PRIMARY KEY NOT NULL,
	"choice" text NOT NULL,
	"console_url" text collate "C",
	"updated_at" bigint NOT NULL
);
CREATE TABLE "duty_rotas" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"sites" text[],
	"site_groups" text[] NOT NULL,
	"from_severity" text collate "C" NOT NULL,
	"alarms" text collate "C" NOT NULL,
	"zone" text collate "C" NOT NULL,
	"first_week" text collate "C" NOT NULL,
	"shifts" text NOT NULL,
	"exceptions" text NOT NULL,
	"next_after_minutes" integer NOT NULL,
	"enabled" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
CREATE TABLE "duty_sendings" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"call_id" text collate "C" NOT NULL,
	"user_name" text collate "C" NOT NULL,
	"way" text collate "C" NOT NULL,
	"device_id" text collate "C",
	"reason" text collate "C" NOT NULL,
	"state" text collate "C" NOT NULL,
	"attempts" integer NOT NULL,
	"next_at" bigint NOT NULL,
	"last_error" text collate "C",
	"created_at" bigint NOT NULL,
	"settled_at" bigint,
	"shown_at" bigint,
	"opened_at" bigint
);
CREATE TABLE "event_conflicts" (
	"tenant_code" text collate "C" NOT NULL,
	"idempotency_key" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"origin_id" bigint NOT NULL,
	"type" text collate "C" NOT NULL,
	"severity" text collate "C",
	"occurred_at" bigint,
	"received_at" bigint NOT NULL,
	"held_by" text collate "C",
	"held_id" bigint NOT NULL,
	"first_at" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "event_conflicts_tenant_code_instance_idempotency_key_pk" PRIMARY KEY("tenant_code","instance",
		"idempotency_key")
);
CREATE TABLE "event_days" (
	"tenant_code" text collate "C" NOT NULL,
	"start_at" bigint NOT NULL,
	"group_id" integer NOT NULL,
	"count" bigint NOT NULL,
	"first_id" bigint NOT NULL,
	"last_id" bigint NOT NULL,
	CONSTRAINT "event_days_tenant_code_start_at_group_id_pk" PRIMARY KEY("tenant_code","start_at","group_id")
);
CREATE TABLE "event_facts" (
	"event_id" bigint NOT NULL,
	"occurred_at" bigint,
	"group_id" integer NOT NULL,
	"place_id" integer NOT NULL,
	"tenant_code" text collate "C" NOT NULL
) PARTITION BY RANGE (event_id);
CREATE TABLE "event_groups" (
	"tenant_code" text collate "C" NOT NULL,
	"id" integer GENERATED BY DEFAULT AS IDENTITY (sequence name "event_groups_id_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"type" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"source" text collate "C" NOT NULL,
	"verdict" text collate "C",
	"corrected_to" text collate "C",
	"is_test" boolean NOT NULL,
	"judged" boolean NOT NULL,
	"judged_type" text collate "C",
	"severity" text collate "C" NOT NULL,
	"instance" text collate "C",
	CONSTRAINT "event_groups_tenant_code_id_pk" PRIMARY KEY("tenant_code","id"),
	CONSTRAINT "event_groups_key" UNIQUE NULLS NOT DISTINCT("tenant_code","type","kind","source","verdict",
		"corrected_to","is_test","judged","judged_type","severity","instance")
);
CREATE TABLE "event_hours" (
	"tenant_code" text collate "C" NOT NULL,
	"start_at" bigint NOT NULL,
	"group_id" integer NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "event_hours_tenant_code_start_at_group_id_pk" PRIMARY KEY("tenant_code","start_at","group_id")
);
CREATE TABLE "event_index_progress" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"events_upto" bigint NOT NULL,
	"changes_upto" bigint NOT NULL
);
CREATE TABLE "event_keys" (
	"event_id" bigint NOT NULL,
	"key_hash" uuid NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	CONSTRAINT "event_keys_tenant_code_key_hash_pk" PRIMARY KEY("tenant_code","key_hash")
);
CREATE TABLE "event_places" (
	"tenant_code" text collate "C" NOT NULL,
	"id" integer GENERATED BY DEFAULT AS IDENTITY (sequence name "event_places_id_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_ref" text collate "C",
	"camera_ref" text collate "C",
	"instance" text collate "C",
	CONSTRAINT "event_places_tenant_code_id_pk" PRIMARY KEY("tenant_code","id"),
	CONSTRAINT "event_places_key" UNIQUE NULLS NOT DISTINCT("tenant_code","site_ref","camera_ref","instance")
);
CREATE TABLE "events" (
	"id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"idempotency_key" text collate "C" NOT NULL,
	"type" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"source" text collate "C" NOT NULL,
	"severity" text collate "C",
	"occurred_at" bigint,
	"received_at" bigint NOT NULL,
	"is_test" boolean NOT NULL,
	"node_key" text collate "C",
	"instance" text collate "C",
	"origin_id" bigint,
	"origin_received_at" bigint,
	"doc" text collate "C" NOT NULL,
	CONSTRAINT "events_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
) PARTITION BY RANGE (id);
CREATE TABLE "evidence_files" (
	"tenant_code" text collate "C" NOT NULL,
	"event_id" bigint NOT NULL,
	"name" text collate "C" NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text collate "C" NOT NULL,
	"stored_at" bigint NOT NULL,
	"instance" text collate "C",
	CONSTRAINT "evidence_files_tenant_code_event_id_name_pk" PRIMARY KEY("tenant_code","event_id","name")
);
CREATE TABLE "evidence_jobs" (
	"id" text collate "C" NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"event_id" bigint NOT NULL,
	"name" text collate "C" NOT NULL,
	"consumer" text collate "C" NOT NULL,
	"put_url" text collate "C" NOT NULL,
	"access" text collate "C",
	"state" text collate "C" NOT NULL,
	"last_error" text collate "C",
	"attempts" integer NOT NULL,
	"next_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"settled_at" bigint,
	CONSTRAINT "evidence_jobs_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "evidence_sites" (
	"instance" text collate "C" PRIMARY KEY NOT NULL,
	"mode" text collate "C" NOT NULL,
	"backlog_files" bigint NOT NULL,
	"backlog_bytes" bigint NOT NULL,
	"heard_at" bigint NOT NULL,
	"received_files" bigint NOT NULL,
	"received_bytes" bigint NOT NULL,
	"last_received_at" bigint
);
CREATE TABLE "evidence_wants" (
	"tenant_code" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"event_id" bigint NOT NULL,
	"event_key" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"state" text collate "C" NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text collate "C" NOT NULL,
	"held" bigint NOT NULL,
	"mismatches" integer NOT NULL,
	"reason" text collate "C",
	"asked_by" text collate "C",
	"asked_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"told_epoch" text collate "C",
	"settled_at" bigint,
	CONSTRAINT "evidence_wants_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "feedback" (
	"id" text collate "C" NOT NULL,
	"event_id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"url" text collate "C" NOT NULL,
	"node_key" text collate "C",
	"body" text collate "C" NOT NULL,
	"state" text collate "C" NOT NULL,
	"attempts" integer NOT NULL,
	"next_at" bigint NOT NULL,
	"last_error" text collate "C",
	"created_at" bigint NOT NULL,
	"delivered_at" bigint,
	CONSTRAINT "feedback_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "forgotten_events" (
	"event_id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"instance" text collate "C",
	"origin_id" bigint,
	"origin_received_at" bigint,
	CONSTRAINT "forgotten_events_tenant_code_event_id_pk" PRIMARY KEY("tenant_code","event_id")
) PARTITION BY RANGE (event_id);
CREATE TABLE "group_orders" (
	"tenant_code" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"seq" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "group_orders_seq_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"instance" text collate "C" NOT NULL,
	"incident_id" bigint NOT NULL,
	"groups" bigint[] NOT NULL,
	"event_ids" bigint[] NOT NULL,
	"kind" text collate "C" NOT NULL,
	"body" text NOT NULL,
	"by" text collate "C" NOT NULL,
	"state" text collate "C" NOT NULL,
	"reason" text collate "C",
	"told" text,
	"created_at" bigint NOT NULL,
	"settled_at" bigint,
	CONSTRAINT "group_orders_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "hazards" (
	"tenant_code" text collate "C" NOT NULL,
	"hazard_id" bigint NOT NULL,
	"project_id" bigint,
	"major" boolean NOT NULL,
	CONSTRAINT "hazards_tenant_code_hazard_id_pk" PRIMARY KEY("tenant_code","hazard_id")
);
CREATE TABLE "inbox" (
	"seq" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "inbox_seq_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"instance" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"no" bigint,
	CONSTRAINT "inbox_tenant_code_kind_id_pk" PRIMARY KEY("tenant_code","kind","id")
);
CREATE TABLE "incident_members" (
	"incident_id" bigint NOT NULL,
	"event_id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"layer" text collate "C" NOT NULL,
	"at" bigint NOT NULL,
	"type" text collate "C" NOT NULL,
	"source" text collate "C" NOT NULL,
	"severity" text collate "C",
	"is_test" boolean NOT NULL,
	"live" boolean NOT NULL,
	"added_at" bigint NOT NULL,
	CONSTRAINT "incident_members_tenant_code_incident_id_event_id_pk" PRIMARY KEY("tenant_code","incident_id",
		"event_id")
);
CREATE TABLE "incidents" (
	"id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"instance" text collate "C",
	"origin_id" bigint,
	"source_key" text collate "C",
	"layer" text collate "C" NOT NULL,
	"site_ref" text collate "C" NOT NULL,
	"point_ref" text collate "C",
	"title" text collate "C",
	"state" text collate "C" NOT NULL,
	"state_before" text collate "C",
	"merged_into" bigint,
	"split_from" bigint,
	"first_at" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	"event_types" text NOT NULL,
	"sources" text NOT NULL,
	"severity" text collate "C" NOT NULL,
	"member_count" integer NOT NULL,
	"test_member_count" integer NOT NULL,
	"is_test" boolean NOT NULL,
	"first_event_id" bigint,
	"first_event_at" bigint,
	"first_locked" boolean NOT NULL,
	"confirmed_by" text collate "C",
	"confirmed_at" bigint,
	"closed_at" bigint,
	"cleared_count" integer NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "incidents_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "joining_codes" (
	"instance" text collate "C" PRIMARY KEY NOT NULL,
	"code_hash" text collate "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	"created_by" text collate "C" NOT NULL
);
CREATE TABLE "kb_changes" (
	"change_no" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"doc_id" bigint,
	"at" bigint NOT NULL,
	"first_chunk" bigint,
	"last_chunk" bigint,
	CONSTRAINT "kb_changes_tenant_code_change_no_pk" PRIMARY KEY("tenant_code","change_no")
);
CREATE TABLE "kb_chunks" (
	"id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"doc_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"clause_path" text collate "C",
	"page" integer,
	"text" text collate "C" NOT NULL,
	"text_sha256" text collate "C" NOT NULL,
	"embedding" "bytea",
	"embed_model" text collate "C",
	"dim" integer,
	"change_no" bigint NOT NULL,
	CONSTRAINT "kb_chunks_tenant_code_id_pk" PRIMARY KEY("tenant_code","id"),
	CONSTRAINT "kb_chunks_seq" UNIQUE("tenant_code","doc_id","seq")
);
CREATE TABLE "kb_clearance" (
	"tenant_code" text collate "C" NOT NULL,
	"subject" text collate "C" NOT NULL,
	"level" smallint NOT NULL,
	"granted_by" text collate "C" NOT NULL,
	"granted_at" bigint NOT NULL,
	CONSTRAINT "kb_clearance_tenant_code_subject_pk" PRIMARY KEY("tenant_code","subject")
);
CREATE TABLE "kb_deletions" (
	"id" text collate "C" NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"upto_doc_id" bigint NOT NULL,
	"counts" text NOT NULL,
	"requested_by" text collate "C" NOT NULL,
	"requested_at" bigint NOT NULL,
	"finished_at" bigint,
	CONSTRAINT "kb_deletions_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "kb_docs" (
	"id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"policy_id" bigint NOT NULL,
	"src_system" text collate "C" NOT NULL,
	"src_key" text collate "C" NOT NULL,
	"title" text collate "C" NOT NULL,
	"doc_no" text collate "C",
	"version" text collate "C" NOT NULL,
	"effective_date" text collate "C",
	"expiry_date" text collate "C",
	"valid_from" bigint NOT NULL,
	"valid_until" bigint NOT NULL,
	"level" smallint NOT NULL,
	"file_name" text collate "C",
	"content_type" text collate "C",
	"size" bigint,
	"sha256" text collate "C",
	"stored_at" bigint,
	"supersedes" bigint,
	"superseded_by" bigint,
	"status" text collate "C" NOT NULL,
	"reason" text collate "C",
	"parse_note" text collate "C",
	"parsing_since" bigint,
	"missing_numbers" text DEFAULT '[]' NOT NULL,
	"effective_at" bigint,
	"chunk_count" integer NOT NULL,
	"chunks_sha256" text collate "C",
	"created_by" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"change_no" bigint NOT NULL,
	CONSTRAINT "kb_docs_tenant_code_id_pk" PRIMARY KEY("tenant_code","id"),
	CONSTRAINT "kb_docs_source" UNIQUE("tenant_code","src_key")
);
CREATE TABLE "kb_embedding" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"lease" text collate "C",
	"leased_until" bigint NOT NULL
);
CREATE TABLE "kb_open_questions" (
	"tenant_code" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"question" text collate "C" NOT NULL,
	"note" text collate "C" NOT NULL,
	"unknown" text NOT NULL,
	"times" integer NOT NULL,
	"first_at" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	CONSTRAINT "kb_open_questions_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "kb_qa_log" (
	"id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"asker" text collate "C" NOT NULL,
	"question" text collate "C" NOT NULL,
	"answer" text collate "C",
	"refusal_reason" text collate "C",
	"citations" text NOT NULL,
	"level" smallint NOT NULL,
	"basis_version" text collate "C",
	"index_version" text collate "C",
	"duration_ms" integer,
	"feedback" text collate "C",
	"feedback_note" text collate "C",
	"feedback_at" bigint,
	"settled_at" bigint,
	"created_by" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "kb_qa_log_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "kb_readings" (
	"tenant_code" text collate "C" NOT NULL,
	"doc_id" bigint NOT NULL,
	"state" text collate "C" NOT NULL,
	"due_at" bigint NOT NULL,
	"attempts" integer NOT NULL,
	"lease" text collate "C",
	"leased_until" bigint NOT NULL,
	"stage" text collate "C",
	"page" integer,
	"pages" integer,
	"notes" text NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "kb_readings_tenant_code_doc_id_pk" PRIMARY KEY("tenant_code","doc_id")
);
CREATE TABLE "kb_site_libraries" (
	"tenant_code" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"version" text collate "C" NOT NULL,
	"state" text collate "C" NOT NULL,
	"since" bigint NOT NULL,
	"held" text collate "C",
	"held_at" bigint,
	"files" integer DEFAULT 0 NOT NULL,
	"clauses" integer DEFAULT 0 NOT NULL,
	"reason" text collate "C",
	"told" text,
	CONSTRAINT "kb_site_libraries_tenant_code_instance_pk" PRIMARY KEY("tenant_code","instance")
);
CREATE TABLE "kb_synonyms" (
	"tenant_code" text collate "C" PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"shipped" boolean NOT NULL,
	"groups" text NOT NULL,
	"set_by" text collate "C" NOT NULL,
	"set_at" bigint NOT NULL
);
CREATE TABLE "keys" (
	"key_id" text collate "C" PRIMARY KEY NOT NULL,
	"purpose" text collate "C" NOT NULL,
	"tenant_code" text collate "C",
	"subject" text collate "C" NOT NULL,
	"scopes" text,
	"secret_ref" text collate "C" NOT NULL,
	"previous_ref" text collate "C",
	"previous_until" bigint,
	"created_at" bigint NOT NULL,
	"removed_at" bigint
);
CREATE TABLE "knowledge" (
	"id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"src_system" text collate "C" NOT NULL,
	"src_pk" text collate "C" NOT NULL,
	"title" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"source_ref" text NOT NULL,
	"refs" text[] NOT NULL,
	"event_id" bigint,
	"security_level" text collate "C" NOT NULL,
	"version" integer NOT NULL,
	"valid_until" bigint,
	"body" text NOT NULL,
	"machine_generated" boolean NOT NULL,
	"created_by" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "knowledge_tenant_code_id_pk" PRIMARY KEY("tenant_code","id"),
	CONSTRAINT "knowledge_source" UNIQUE("tenant_code","src_system","src_pk")
);
CREATE TABLE "knowledge_revisions" (
	"tenant_code" text collate "C" NOT NULL,
	"knowledge_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"body" text NOT NULL,
	"changed" text NOT NULL,
	"by" text collate "C" NOT NULL,
	"note" text collate "C",
	"at" bigint NOT NULL,
	CONSTRAINT "knowledge_revisions_tenant_code_knowledge_id_version_pk" PRIMARY KEY("tenant_code",
		"knowledge_id","version")
);
CREATE TABLE "login_attempts" (
	"scope" text collate "C" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"last_at" bigint NOT NULL,
	"blocked_until" bigint NOT NULL
);
CREATE TABLE "milestone_statuses" (
	"tenant_code" text collate "C" NOT NULL,
	"milestone_id" bigint NOT NULL,
	"status" integer NOT NULL,
	CONSTRAINT "milestone_statuses_tenant_code_milestone_id_pk" PRIMARY KEY("tenant_code","milestone_id")
);
CREATE TABLE "milestones" (
	"tenant_code" text collate "C" NOT NULL,
	"milestone_id" bigint NOT NULL,
	"project_id" bigint,
	"code" text collate "C",
	"name" text collate "C",
	"status" integer,
	CONSTRAINT "milestones_tenant_code_milestone_id_pk" PRIMARY KEY("tenant_code","milestone_id")
);
CREATE TABLE "model_calls" (
	"tenant_code" text collate "C" NOT NULL,
	"day" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"calls" integer NOT NULL,
	"tokens" bigint NOT NULL,
	"most" integer NOT NULL,
	CONSTRAINT "model_calls_tenant_code_day_kind_pk" PRIMARY KEY("tenant_code","day","kind")
);
CREATE TABLE "ncrs" (
	"tenant_code" text collate "C" NOT NULL,
	"ncr_id" bigint NOT NULL,
	"project_id" bigint,
	"closed" boolean NOT NULL,
	CONSTRAINT "ncrs_tenant_code_ncr_id_pk" PRIMARY KEY("tenant_code","ncr_id")
);
CREATE TABLE "notification_sites" (
	"instance" text collate "C" PRIMARY KEY NOT NULL,
	"backlog" bigint NOT NULL,
	"heard_at" bigint NOT NULL,
	"taken_total" bigint NOT NULL,
	"last_taken_at" bigint
);
CREATE TABLE "notifications" (
	"id" text collate "C" NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"seq" bigint NOT NULL,
	"event_id" bigint,
	"task_id" bigint,
	"kind" text collate "C" NOT NULL,
	"channel" text collate "C" NOT NULL,
	"channel_id" text collate "C",
	"handover" text collate "C",
	"delivered_by" text collate "C",
	"instance" text collate "C",
	"origin_id" text collate "C",
	"rule_name" text collate "C",
	"severity" text collate "C" NOT NULL,
	"message" text collate "C" NOT NULL,
	"is_test" boolean NOT NULL,
	"state" text collate "C" NOT NULL,
	"attempts" integer NOT NULL,
	"next_at" bigint NOT NULL,
	"last_error" text collate "C",
	"created_at" bigint NOT NULL,
	"settled_at" bigint,
	CONSTRAINT "notifications_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "open_clients" (
	"tenant_code" text collate "C" NOT NULL,
	"client_id" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"secret_sha256" text collate "C" NOT NULL,
	"previous_sha256" text collate "C",
	"previous_until" bigint,
	"status" text collate "C" NOT NULL,
	"scopes" text[] DEFAULT '{}' NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"last_used_at" bigint,
	CONSTRAINT "open_clients_tenant_code_client_id_pk" PRIMARY KEY("tenant_code","client_id")
);
CREATE TABLE "open_failures" (
	"scope" text collate "C" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"since" bigint NOT NULL
);
CREATE TABLE "open_tokens" (
	"tenant_code" text collate "C" NOT NULL,
	"sha256" text collate "C" NOT NULL,
	"client_id" text collate "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "open_tokens_tenant_code_sha256_pk" PRIMARY KEY("tenant_code","sha256")
);
CREATE TABLE "passkey_challenges" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"bound_to" text collate "C" NOT NULL,
	"expires_at" bigint NOT NULL
);
CREATE TABLE "passkeys" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"user_name" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"credential_id" text collate "C" NOT NULL,
	"public_key" text collate "C" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text NOT NULL,
	"rp_id" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint
);
CREATE TABLE "plan_pictures" (
	"tenant_code" text collate "C" NOT NULL,
	"plan_id" text collate "C" NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "plan_pictures_tenant_code_plan_id_pk" PRIMARY KEY("tenant_code","plan_id")
);
CREATE TABLE "plans" (
	"tenant_code" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"picture" text NOT NULL,
	"pins" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "plans_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "projects" (
	"tenant_code" text collate "C" NOT NULL,
	"project_id" bigint NOT NULL,
	"code" text collate "C",
	"name" text collate "C",
	"status" integer,
	"health_score" integer,
	"plan_progress" double precision,
	"actual_progress" double precision,
	"milestones_total" integer NOT NULL,
	"milestones_at_risk" integer NOT NULL,
	"open_ncr" integer NOT NULL,
	CONSTRAINT "projects_tenant_code_project_id_pk" PRIMARY KEY("tenant_code","project_id")
);
CREATE TABLE "purchase_orders" (
	"tenant_code" text collate "C" NOT NULL,
	"order_id" bigint NOT NULL,
	"project_id" bigint,
	"milestone_id" bigint,
	"late" boolean NOT NULL,
	"drags" integer,
	"drags_milestone" bigint,
	CONSTRAINT "purchase_orders_tenant_code_order_id_pk" PRIMARY KEY("tenant_code","order_id")
);
CREATE TABLE "push_states" (
	"consumer" text collate "C" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"next_at" bigint NOT NULL,
	"last_error" text collate "C",
	"last_success_at" bigint,
	"receipt_faults" integer NOT NULL,
	"last_receipt_fault" text collate "C",
	"lease" text collate "C",
	"leased_until" bigint NOT NULL
);
CREATE TABLE "recovery_codes" (
	"user_name" text collate "C" NOT NULL,
	"code_hash" text collate "C" NOT NULL,
	CONSTRAINT "recovery_codes_user_name_code_hash_pk" PRIMARY KEY("user_name","code_hash")
);
CREATE TABLE "release_packages" (
	"version" text collate "C" NOT NULL,
	"architecture" text collate "C" NOT NULL,
	"place" integer NOT NULL,
	"name" text collate "C" NOT NULL,
	"size" integer NOT NULL,
	"sha256" text collate "C" NOT NULL,
	"stored_at" bigint,
	CONSTRAINT "release_packages_version_architecture_pk" PRIMARY KEY("version","architecture")
);
CREATE TABLE "releases" (
	"version" text collate "C" PRIMARY KEY NOT NULL,
	"document" text NOT NULL,
	"added_by" text collate "C" NOT NULL,
	"added_at" bigint NOT NULL
);
CREATE TABLE "retention" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"state" text NOT NULL
);
CREATE TABLE "retention_scopes" (
	"tenant_code" text collate "C" NOT NULL,
	"scope" text collate "C" NOT NULL,
	"days" integer NOT NULL,
	"set_by" text collate "C" NOT NULL,
	"set_at" bigint NOT NULL,
	"deleted_total" bigint NOT NULL,
	CONSTRAINT "retention_scopes_tenant_code_scope_pk" PRIMARY KEY("tenant_code","scope")
);
CREATE TABLE "retried_requests" (
	"caller" text collate "C" NOT NULL,
	"key" text collate "C" NOT NULL,
	"fingerprint" text collate "C" NOT NULL,
	"at" bigint NOT NULL,
	"status" integer,
	"body" text collate "C",
	CONSTRAINT "retried_requests_caller_key_pk" PRIMARY KEY("caller","key")
);
CREATE TABLE "rollout_sites" (
	"rollout_id" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"place" integer NOT NULL,
	"wave" integer NOT NULL,
	"step" text collate "C" NOT NULL,
	"at" bigint NOT NULL,
	"runs" text collate "C",
	"fetched" integer,
	"size" integer,
	"reason" text collate "C",
	"told" text,
	"excused" boolean NOT NULL,
	CONSTRAINT "rollout_sites_rollout_id_instance_pk" PRIMARY KEY("rollout_id","instance")
);
CREATE TABLE "rollouts" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"bound_to" text collate "C",
	"version" text collate "C" NOT NULL,
	"document" text NOT NULL,
	"target" text NOT NULL,
	"hours" text NOT NULL,
	"caution" text NOT NULL,
	"state" text collate "C" NOT NULL,
	"waves" integer NOT NULL,
	"wave" integer NOT NULL,
	"wave_at" bigint NOT NULL,
	"through_at" bigint,
	"started_by" text collate "C" NOT NULL,
	"started_at" bigint NOT NULL,
	"changed_by" text collate "C",
	"changed_at" bigint NOT NULL,
	"reason" text
);
CREATE TABLE "rules" (
	"tenant_code" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"version" integer NOT NULL,
	"body" text NOT NULL,
	"by" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "rules_tenant_code_kind_name_version_pk" PRIMARY KEY("tenant_code","kind","name","version")
);
CREATE TABLE "secrets" (
	"tenant_code" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"use" text collate "C" NOT NULL,
	"host" text collate "C" NOT NULL,
	"sealed" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "secrets_tenant_code_name_pk" PRIMARY KEY("tenant_code","name")
);
CREATE TABLE "served_calls" (
	"caller" text collate "C" PRIMARY KEY NOT NULL,
	"started_at" bigint NOT NULL,
	"count" integer NOT NULL
);
CREATE TABLE "served_deletions" (
	"tenant_code" text collate "C" NOT NULL,
	"dataset" text collate "C" NOT NULL,
	"id" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "served_deletions_tenant_code_dataset_id_pk" PRIMARY KEY("tenant_code","dataset","id")
);
CREATE TABLE "served_event_counts" (
	"tenant_code" text collate "C" NOT NULL,
	"id" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "served_event_counts_id_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" text collate "C" NOT NULL,
	"site_ref" text collate "C" NOT NULL,
	"type" text collate "C" NOT NULL,
	"severity" text collate "C" NOT NULL,
	"verdict" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"count" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "served_event_counts_tenant_code_id_pk" PRIMARY KEY("tenant_code","id"),
	CONSTRAINT "served_event_counts_key" UNIQUE("tenant_code","day","site_ref","type","severity","verdict",
		"instance")
);
CREATE TABLE "served_event_verdicts" (
	"tenant_code" text collate "C" NOT NULL,
	"event_id" bigint NOT NULL,
	"verdict" text collate "C" NOT NULL,
	CONSTRAINT "served_event_verdicts_tenant_code_event_id_pk" PRIMARY KEY("tenant_code","event_id")
);
CREATE TABLE "served_progress" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"events_upto" bigint NOT NULL,
	"changes_upto" bigint NOT NULL
);
CREATE TABLE "sessions" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"token_hash" text collate "C" NOT NULL,
	"user_name" text collate "C" NOT NULL,
	"role" text collate "C" NOT NULL,
	"tenant_code" text collate "C",
	"permissions" text,
	"created_at" bigint NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ip" text collate "C" NOT NULL,
	"user_agent" text collate "C",
	"waits" boolean DEFAULT false NOT NULL,
	"id_token" text collate "C",
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
CREATE TABLE "sign_ins" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"browser_hash" text collate "C" NOT NULL,
	"sealed" text collate "C" NOT NULL,
	"expires_at" bigint NOT NULL
);
CREATE TABLE "site_feedback" (
	"id" text collate "C" NOT NULL,
	"event_id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"state" text collate "C" NOT NULL,
	"last_error" text collate "C",
	"created_at" bigint NOT NULL,
	"delivered_at" bigint,
	CONSTRAINT "site_feedback_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "site_group_parts" (
	"tenant_code" text collate "C" NOT NULL,
	"incident_id" bigint NOT NULL,
	"event_id" bigint NOT NULL,
	"layer" text collate "C" NOT NULL,
	"at" bigint NOT NULL,
	"type" text collate "C" NOT NULL,
	"source" text collate "C" NOT NULL,
	"severity" text collate "C",
	"is_test" boolean NOT NULL,
	"live" boolean NOT NULL,
	"added_at" bigint NOT NULL,
	CONSTRAINT "site_group_parts_key" PRIMARY KEY("tenant_code","incident_id","event_id")
);
CREATE TABLE "site_hours" (
	"instance" text collate "C" NOT NULL,
	"at" bigint NOT NULL,
	"received" bigint NOT NULL,
	"backlog" bigint NOT NULL,
	"room_bytes" bigint,
	CONSTRAINT "site_hours_instance_at_pk" PRIMARY KEY("instance","at")
);
CREATE TABLE "site_orders" (
	"tenant_code" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"seq" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "site_orders_seq_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"instance" text collate "C" NOT NULL,
	"event_id" bigint,
	"task_id" bigint NOT NULL,
	"kind" text collate "C" NOT NULL,
	"body" text NOT NULL,
	"by" text collate "C" NOT NULL,
	"state" text collate "C" NOT NULL,
	"reason" text collate "C",
	"told" text,
	"result" text,
	"created_at" bigint NOT NULL,
	"settled_at" bigint,
	CONSTRAINT "site_orders_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "site_request_pieces" (
	"tenant_code" text collate "C" NOT NULL,
	"request_id" text collate "C" NOT NULL,
	"start_at" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "site_request_pieces_tenant_code_request_id_start_at_pk" PRIMARY KEY("tenant_code","request_id",
		"start_at")
);
CREATE TABLE "site_requests" (
	"tenant_code" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"what" text collate "C" NOT NULL,
	"asked" text NOT NULL,
	"asked_by" text collate "C" NOT NULL,
	"asked_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"state" text collate "C" NOT NULL,
	"sent_at" bigint,
	"answered_at" bigint,
	"exit" integer,
	"text" text collate "C",
	"file" text,
	"held" integer NOT NULL,
	"file_whole" boolean NOT NULL,
	"mismatches" integer DEFAULT 0 NOT NULL,
	"reason" text collate "C",
	"told" text,
	CONSTRAINT "site_requests_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "site_settings" (
	"tenant_code" text collate "C" DEFAULT '' NOT NULL,
	"instance" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"version" integer NOT NULL,
	"set_values" text NOT NULL,
	"state" text collate "C" NOT NULL,
	"set_by" text collate "C" NOT NULL,
	"set_at" bigint NOT NULL,
	"told" text,
	CONSTRAINT "site_settings_tenant_code_instance_pk" PRIMARY KEY("tenant_code","instance")
);
CREATE TABLE "site_upgrades" (
	"tenant_code" text collate "C" DEFAULT '' NOT NULL,
	"instance" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"no" integer NOT NULL,
	"version" text collate "C",
	"document" text,
	"hours" text NOT NULL,
	"state" text collate "C" NOT NULL,
	"given_by" text collate "C" NOT NULL,
	"given_at" bigint NOT NULL,
	"rollout_id" text collate "C",
	"told" text,
	CONSTRAINT "site_upgrades_tenant_code_instance_pk" PRIMARY KEY("tenant_code","instance")
);
CREATE TABLE "site_work" (
	"tenant_code" text collate "C" NOT NULL,
	"instance" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"origin_id" bigint NOT NULL,
	"origin_created_at" bigint NOT NULL,
	"id" bigint NOT NULL,
	"epoch" text collate "C" NOT NULL,
	"change_no" bigint NOT NULL,
	"merged_into" bigint,
	"split_from" bigint,
	"parts" text collate "C",
	CONSTRAINT "site_work_key" PRIMARY KEY("tenant_code","instance","kind","origin_id","origin_created_at")
);
CREATE TABLE "sites" (
	"instance" text collate "C" PRIMARY KEY NOT NULL,
	"tenants" text[] NOT NULL,
	"continues" text[] NOT NULL,
	"display_name" text collate "C",
	"groups" text[] DEFAULT '{}' NOT NULL,
	"created_at" bigint NOT NULL,
	"removed_at" bigint,
	"silent_after_minutes" integer DEFAULT 10 NOT NULL,
	"away" boolean DEFAULT false NOT NULL,
	"last_seen_at" bigint,
	"version" text collate "C",
	"report" text,
	"report_lists" text,
	"line" text,
	"zone" text collate "C",
	"features" text[],
	"inbox_no" bigint DEFAULT 0 NOT NULL
);
CREATE TABLE "source_datasets" (
	"tenant_code" text collate "C" NOT NULL,
	"source_id" text collate "C" NOT NULL,
	"dataset" text collate "C" NOT NULL,
	"processor" text collate "C" NOT NULL,
	"contract" text,
	"offered" text,
	"mode" text collate "C" NOT NULL,
	"cursor" text collate "C",
	"settled" text collate "C",
	"run_cursor" text collate "C",
	"generation" integer NOT NULL,
	"completed_at" bigint,
	"run_started_at" bigint,
	"run_ended_at" bigint,
	"run_rows" bigint NOT NULL,
	"as_of" text collate "C",
	"last_success_at" bigint,
	"last_error" text collate "C",
	"last_error_told" jsonb,
	"failures" integer NOT NULL,
	"rows_total" bigint NOT NULL,
	"changed_total" bigint NOT NULL,
	"duplicate_total" bigint NOT NULL,
	"rows_kept" bigint DEFAULT 0 NOT NULL,
	"bytes_kept" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "source_datasets_tenant_code_source_id_dataset_pk" PRIMARY KEY("tenant_code","source_id",
		"dataset")
);
CREATE TABLE "sources" (
	"instance" text collate "C" NOT NULL,
	"epoch" text collate "C" NOT NULL,
	"channel" text collate "C" NOT NULL,
	"cursor" bigint NOT NULL,
	"received_total" bigint NOT NULL,
	"duplicate_total" bigint NOT NULL,
	"rejected_total" bigint NOT NULL,
	"conflict_total" bigint NOT NULL,
	"last_received_at" bigint,
	"heard_at" bigint,
	"hub_epoch" text collate "C",
	CONSTRAINT "sources_instance_epoch_channel_pk" PRIMARY KEY("instance","epoch","channel")
);
CREATE TABLE "stepped_over" (
	"work" text collate "C" NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"row_id" bigint NOT NULL,
	"reason" text collate "C" NOT NULL,
	"first_at" bigint NOT NULL,
	"next_at" bigint NOT NULL,
	CONSTRAINT "stepped_over_tenant_code_work_row_id_pk" PRIMARY KEY("tenant_code","work","row_id")
);
CREATE TABLE "store_facts" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"value" text collate "C" NOT NULL
);
CREATE TABLE "subscriptions" (
	"consumer" text collate "C" PRIMARY KEY NOT NULL,
	"tenant_code" text collate "C",
	"event_types" text,
	"min_severity" text collate "C",
	"push_url" text collate "C",
	"secret_ref" text collate "C",
	"enabled" boolean NOT NULL,
	"cursor" bigint NOT NULL,
	"push_cursor" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
CREATE TABLE "task_days" (
	"tenant_code" text collate "C" NOT NULL,
	"start_at" bigint NOT NULL,
	"group_key" text collate "C" NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "task_days_tenant_code_start_at_group_key_pk" PRIMARY KEY("tenant_code","start_at","group_key")
);
CREATE TABLE "task_entries" (
	"task_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"at" bigint NOT NULL,
	"doc" text NOT NULL,
	CONSTRAINT "task_entries_tenant_code_task_id_seq_pk" PRIMARY KEY("tenant_code","task_id","seq")
);
CREATE TABLE "task_facts" (
	"tenant_code" text collate "C" NOT NULL,
	"task_id" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"due_at" bigint,
	"group_key" text collate "C" NOT NULL,
	CONSTRAINT "task_facts_tenant_code_task_id_pk" PRIMARY KEY("tenant_code","task_id")
);
CREATE TABLE "task_stale" (
	"tenant_code" text collate "C" NOT NULL,
	"task_id" bigint NOT NULL,
	CONSTRAINT "task_stale_tenant_code_task_id_pk" PRIMARY KEY("tenant_code","task_id")
);
CREATE TABLE "tasks" (
	"id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"instance" text collate "C",
	"origin_id" bigint,
	"type" text collate "C" NOT NULL,
	"state" text collate "C" NOT NULL,
	"event_id" bigint,
	"title" text collate "C" NOT NULL,
	"severity" text collate "C" NOT NULL,
	"assignee_org" text collate "C",
	"due_at" bigint,
	"suppressed" boolean NOT NULL,
	"escalated_at" bigint,
	"result_code" text collate "C",
	"body" text collate "C" NOT NULL,
	"created_by" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"taken_over_at" bigint,
	"taken_over_by" text collate "C",
	"completed_at" bigint,
	"closed_at" bigint,
	"cancelled_at" bigint,
	"entry_count" integer NOT NULL,
	"step_count" integer NOT NULL,
	"note_count" integer NOT NULL,
	"refusal_count" integer NOT NULL,
	CONSTRAINT "tasks_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "totp_factors" (
	"user_name" text collate "C" PRIMARY KEY NOT NULL,
	"sealed" text collate "C" NOT NULL,
	"last_step" bigint NOT NULL,
	"since" bigint
);
CREATE TABLE "users" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"role" text collate "C" NOT NULL,
	"tenant_code" text collate "C",
	"permissions" text,
	"password_hash" text collate "C",
	"issuer" text collate "C",
	"subject" text collate "C",
	"withdrawn_at" bigint,
	"emergency" boolean DEFAULT false NOT NULL,
	"second_factor_since" bigint,
	"disabled_at" bigint,
	"last_seen_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
CREATE TABLE "verdict_changes" (
	"change_no" bigint NOT NULL,
	"at" bigint NOT NULL,
	"event_id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"decision_id" text collate "C",
	"body" text collate "C" NOT NULL,
	CONSTRAINT "verdict_changes_tenant_code_change_no_pk" PRIMARY KEY("tenant_code","change_no")
);
CREATE TABLE "verdicts" (
	"event_id" bigint NOT NULL,
	"tenant_code" text collate "C" NOT NULL,
	"verdict" text collate "C" NOT NULL,
	"by" text collate "C" NOT NULL,
	"by_kind" text collate "C" NOT NULL,
	"note" text collate "C",
	"merged_into" bigint,
	"merged_into_key" text collate "C",
	"merged_into_instance" text collate "C",
	"judged" text,
	"disposition" text,
	"at" bigint NOT NULL,
	"decision_id" text collate "C",
	CONSTRAINT "verdicts_tenant_code_event_id_pk" PRIMARY KEY("tenant_code","event_id")
);
CREATE TABLE "wbs_nodes" (
	"tenant_code" text collate "C" NOT NULL,
	"node_id" bigint NOT NULL,
	"project_id" bigint,
	"parent_id" bigint,
	"plan" numeric,
	"actual" numeric,
	CONSTRAINT "wbs_nodes_tenant_code_node_id_pk" PRIMARY KEY("tenant_code","node_id")
);
CREATE TABLE "webhook_attempts" (
	"tenant_code" text collate "C" NOT NULL,
	"delivery_id" text collate "C" NOT NULL,
	"attempt" integer NOT NULL,
	"at" bigint NOT NULL,
	"response_code" integer,
	"response_body" text collate "C",
	"error" text collate "C",
	"error_told" jsonb,
	CONSTRAINT "webhook_attempts_tenant_code_delivery_id_attempt_pk" PRIMARY KEY("tenant_code","delivery_id",
		"attempt")
);
CREATE TABLE "webhook_deliveries" (
	"tenant_code" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"webhook_id" text collate "C" NOT NULL,
	"event_id" text collate "C" NOT NULL,
	"event" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"attempts" integer NOT NULL,
	"response_code" integer,
	"response_body" text collate "C",
	"last_error" text collate "C",
	"last_error_told" jsonb,
	"next_at" bigint NOT NULL,
	"claim" text collate "C",
	"claimed_until" bigint,
	"created_at" bigint NOT NULL,
	"last_attempt_at" bigint,
	"settled_at" bigint,
	CONSTRAINT "webhook_deliveries_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
CREATE TABLE "webhooks" (
	"tenant_code" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"url" text collate "C" NOT NULL,
	"events" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"secret_ref" text collate "C" NOT NULL,
	"previous_ref" text collate "C",
	"previous_until" bigint,
	"failures" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"removed_at" bigint,
	"disabled_at" bigint,
	"disabled_by" text collate "C",
	"disabled_reason" text collate "C",
	CONSTRAINT "webhooks_tenant_code_id_pk" PRIMARY KEY("tenant_code","id")
);
ALTER TABLE "open_tokens" ADD CONSTRAINT "open_tokens_client_fk" FOREIGN KEY ("tenant_code","client_id")
		REFERENCES "open_clients"("tenant_code","client_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "plan_pictures" ADD CONSTRAINT "plan_pictures_plan" FOREIGN KEY ("tenant_code","plan_id")
		REFERENCES "plans"("tenant_code","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_fk" FOREIGN KEY ("tenant_code",
		"delivery_id") REFERENCES "webhook_deliveries"("tenant_code","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_fk" FOREIGN KEY ("tenant_code",
		"event_id") REFERENCES "business_events"("tenant_code","id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "agent_chains_key" ON "agent_chains" USING btree ("tenant_code","layer","chain_key","last_at");
CREATE INDEX "agent_chains_dirty" ON "agent_chains" USING btree ("touched_at") WHERE ripe and pending <> '[]';
CREATE INDEX "agent_chains_touched" ON "agent_chains" USING btree ("touched_at");
CREATE INDEX "agent_cooldowns_until" ON "agent_cooldowns" USING btree ("until");
CREATE INDEX "agent_deadlines_task" ON "agent_deadlines" USING btree ("task_id");
CREATE INDEX "agent_deadlines_due" ON "agent_deadlines" USING btree ("escalate_at") WHERE state = 'pending';
CREATE INDEX "agent_decisions_event" ON "agent_decisions" USING btree ("event_id");
CREATE INDEX "agent_decisions_summary" ON "agent_decisions" USING btree ("event_id")
		WHERE summary = 'pending';
CREATE INDEX "audit_subject" ON "audit" USING btree ("subject","at");
CREATE INDEX "audit_tenant" ON "audit" USING btree ("tenant_code","at");
CREATE INDEX "business_events_time" ON "business_events" USING btree ("tenant_code","at");
CREATE INDEX "business_events_age" ON "business_events" USING btree ("at");
CREATE INDEX "business_events_core" ON "business_events" USING btree ("core_event_id")
		WHERE core_event_id is not null;
CREATE INDEX "channels_id" ON "channels" USING btree ("id");
CREATE INDEX "corrections_event" ON "corrections" USING btree ("event_id","seq");
CREATE INDEX "dataset_sources_id" ON "dataset_sources" USING btree ("id");
CREATE INDEX "dataset_sources_due" ON "dataset_sources" USING btree ("next_run_at") WHERE enabled;
CREATE INDEX "decisions_id" ON "decisions" USING btree ("instance","id");
CREATE INDEX "decisions_pending" ON "decisions" USING btree ("instance","change_no") WHERE state = 'pending';
CREATE INDEX "decisions_event" ON "decisions" USING btree ("event_id");
CREATE INDEX "decisions_refused" ON "decisions" USING btree ("instance") WHERE state in ('refused', 'lost');
CREATE INDEX "duty_call_events_call" ON "duty_call_events" USING btree ("call_id");
CREATE UNIQUE INDEX "duty_calls_alarm" ON "duty_calls" USING btree ("instance","alarm_key","at")
		WHERE kind = 'alarm';
CREATE INDEX "duty_calls_due" ON "duty_calls" USING btree ("next_at") WHERE state = 'calling';
CREATE INDEX "duty_calls_open" ON "duty_calls" USING btree ("last_event_at") WHERE kind = 'event';
CREATE UNIQUE INDEX "duty_devices_endpoint" ON "duty_devices" USING btree ("endpoint_hash");
CREATE INDEX "duty_devices_user" ON "duty_devices" USING btree ("user_name");
CREATE UNIQUE INDEX "duty_rotas_name" ON "duty_rotas" USING btree ("tenant_code","name");
CREATE INDEX "duty_sendings_call" ON "duty_sendings" USING btree ("call_id","created_at");
CREATE INDEX "duty_sendings_due" ON "duty_sendings" USING btree ("next_at") WHERE state = 'pending';
CREATE INDEX "event_conflicts_last" ON "event_conflicts" USING btree ("instance","last_at");
CREATE INDEX "event_days_start" ON "event_days" USING btree ("start_at");
CREATE INDEX "events_id" ON "events" USING btree ("id");
CREATE INDEX "events_origin" ON "events" USING btree ("instance","origin_id");
CREATE INDEX "evidence_files_size" ON "evidence_files" USING btree ("tenant_code","instance","size");
CREATE INDEX "evidence_files_event" ON "evidence_files" USING btree ("event_id");
CREATE INDEX "evidence_jobs_id" ON "evidence_jobs" USING btree ("id");
CREATE INDEX "evidence_jobs_due" ON "evidence_jobs" USING btree ("next_at") WHERE state = 'pending';
CREATE INDEX "evidence_jobs_file" ON "evidence_jobs" USING btree ("event_id","name") WHERE state = 'pending';
CREATE INDEX "evidence_jobs_created" ON "evidence_jobs" USING btree ("created_at","id");
CREATE INDEX "evidence_jobs_failed" ON "evidence_jobs" USING btree ("id") WHERE state = 'failed';
CREATE UNIQUE INDEX "evidence_wants_id" ON "evidence_wants" USING btree ("id");
CREATE UNIQUE INDEX "evidence_wants_file" ON "evidence_wants" USING btree ("tenant_code","event_id","name")
		WHERE kind = 'keep';
CREATE INDEX "evidence_wants_event" ON "evidence_wants" USING btree ("event_id");
CREATE INDEX "evidence_wants_open" ON "evidence_wants" USING btree ("instance","asked_at")
		WHERE settled_at is null;
CREATE INDEX "feedback_id" ON "feedback" USING btree ("id");
CREATE INDEX "feedback_event" ON "feedback" USING btree ("event_id");
CREATE INDEX "feedback_due" ON "feedback" USING btree ("next_at") WHERE state = 'pending';
CREATE INDEX "feedback_expired" ON "feedback" USING btree ("state") WHERE state = 'expired';
CREATE INDEX "forgotten_events_origin" ON "forgotten_events" USING btree ("instance","origin_id");
CREATE INDEX "group_orders_pending" ON "group_orders" USING btree ("instance","seq") WHERE state = 'pending';
CREATE INDEX "group_orders_refused" ON "group_orders" USING btree ("instance")
		WHERE state in ('refused', 'unclear');
CREATE INDEX "group_orders_groups" ON "group_orders" USING gin ("groups");
CREATE INDEX "inbox_fresh" ON "inbox" USING btree ("instance","seq") WHERE no is null;
CREATE INDEX "inbox_numbered" ON "inbox" USING btree ("instance","no");
CREATE UNIQUE INDEX "incident_members_live" ON "incident_members" USING btree ("tenant_code","event_id",
		"layer") WHERE live;
CREATE INDEX "incident_members_event" ON "incident_members" USING btree ("event_id");
CREATE UNIQUE INDEX "incidents_source" ON "incidents" USING btree ("tenant_code",
		"source_key",coalesce(instance, ''));
CREATE INDEX "incidents_id" ON "incidents" USING btree ("id");
CREATE INDEX "incidents_order" ON "incidents" USING btree ("last_at" DESC NULLS FIRST,"id" DESC NULLS FIRST,
		"is_test","state","layer","site_ref");
CREATE INDEX "incidents_tenant_order" ON "incidents" USING btree ("tenant_code","last_at" DESC NULLS FIRST,
		"id" DESC NULLS FIRST,"is_test","state","layer","site_ref");
CREATE INDEX "incidents_merged" ON "incidents" USING btree ("merged_into") WHERE merged_into is not null;
CREATE INDEX "incidents_updated" ON "incidents" USING btree ("tenant_code","updated_at","id");
CREATE INDEX "kb_changes_no" ON "kb_changes" USING btree ("change_no");
CREATE INDEX "kb_changes_chunks" ON "kb_changes" USING btree ("tenant_code","first_chunk")
		WHERE first_chunk is not null;
CREATE INDEX "kb_chunks_id" ON "kb_chunks" USING btree ("id");
CREATE INDEX "kb_chunks_change" ON "kb_chunks" USING btree ("change_no");
CREATE INDEX "kb_deletions_open" ON "kb_deletions" USING btree ("requested_at") WHERE finished_at is null;
CREATE INDEX "kb_docs_id" ON "kb_docs" USING btree ("id");
CREATE INDEX "kb_docs_change" ON "kb_docs" USING btree ("change_no");
CREATE UNIQUE INDEX "kb_docs_effective" ON "kb_docs" USING btree ("tenant_code","policy_id")
		WHERE status = 'effective';
CREATE INDEX "kb_docs_policy" ON "kb_docs" USING btree ("tenant_code","policy_id","id");
CREATE INDEX "kb_docs_pending" ON "kb_docs" USING btree ("id") WHERE status in ('uploaded', 'parsing');
CREATE INDEX "kb_open_questions_last" ON "kb_open_questions" USING btree ("tenant_code","last_at","id");
CREATE INDEX "kb_qa_log_id" ON "kb_qa_log" USING btree ("id");
CREATE INDEX "kb_qa_log_asker" ON "kb_qa_log" USING btree ("tenant_code","asker","id");
CREATE INDEX "kb_qa_log_time" ON "kb_qa_log" USING btree ("tenant_code","created_at");
CREATE INDEX "kb_qa_log_wrong" ON "kb_qa_log" USING btree ("tenant_code","id")
		WHERE feedback = 'wrong' and settled_at is null;
CREATE INDEX "kb_readings_open" ON "kb_readings" USING btree ("tenant_code","doc_id") WHERE state <> 'read';
CREATE INDEX "knowledge_id" ON "knowledge" USING btree ("id");
CREATE INDEX "knowledge_time" ON "knowledge" USING btree ("created_at" DESC NULLS FIRST,
		"id" DESC NULLS FIRST);
CREATE INDEX "knowledge_tenant_time" ON "knowledge" USING btree ("tenant_code","created_at" DESC NULLS FIRST,
		"id" DESC NULLS FIRST);
CREATE INDEX "knowledge_event" ON "knowledge" USING btree ("tenant_code","event_id","id")
		WHERE event_id is not null;
CREATE INDEX "knowledge_refs" ON "knowledge" USING gin ("refs");
CREATE INDEX "login_attempts_last" ON "login_attempts" USING btree ("last_at");
CREATE INDEX "ncrs_open" ON "ncrs" USING btree ("tenant_code","project_id") WHERE not closed;
CREATE INDEX "notifications_id" ON "notifications" USING btree ("id");
CREATE INDEX "notifications_seq" ON "notifications" USING btree ("seq");
CREATE INDEX "notifications_due" ON "notifications" USING btree ("next_at") WHERE state = 'pending';
CREATE INDEX "notifications_failed" ON "notifications" USING btree ("seq") WHERE state = 'failed';
CREATE INDEX "notifications_tenant" ON "notifications" USING btree ("tenant_code","seq");
CREATE INDEX "notifications_event" ON "notifications" USING btree ("event_id","seq")
		WHERE event_id is not null;
CREATE INDEX "notifications_origin" ON "notifications" USING btree ("instance","origin_id")
		WHERE instance is not null;
CREATE INDEX "notifications_of_sites" ON "notifications" USING btree ("instance","state")
		WHERE instance is not null and state <> 'sent';
CREATE INDEX "open_clients_list" ON "open_clients" USING btree ("created_at" DESC NULLS FIRST,
		"client_id" DESC NULLS FIRST);
CREATE INDEX "open_clients_id" ON "open_clients" USING btree ("client_id");
CREATE INDEX "open_failures_since" ON "open_failures" USING btree ("since");
CREATE INDEX "open_tokens_sha256" ON "open_tokens" USING btree ("sha256");
CREATE INDEX "open_tokens_client" ON "open_tokens" USING btree ("tenant_code","client_id");
CREATE INDEX "open_tokens_expiry" ON "open_tokens" USING btree ("expires_at");
CREATE INDEX "passkey_challenges_expiry" ON "passkey_challenges" USING btree ("expires_at");
CREATE INDEX "passkey_challenges_bound" ON "passkey_challenges" USING btree ("bound_to");
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_name");
CREATE UNIQUE INDEX "plans_name" ON "plans" USING btree ("tenant_code","instance","name");
CREATE INDEX "projects_code" ON "projects" USING btree ("tenant_code","code","project_id" DESC NULLS FIRST);
CREATE INDEX "purchase_orders_milestone" ON "purchase_orders" USING btree ("tenant_code","milestone_id")
		WHERE late or drags is not null;
CREATE INDEX "retried_requests_at" ON "retried_requests" USING btree ("at");
CREATE INDEX "rollout_sites_place" ON "rollout_sites" USING btree ("rollout_id","place");
CREATE INDEX "rollout_sites_instance" ON "rollout_sites" USING btree ("instance");
CREATE INDEX "rollouts_started" ON "rollouts" USING btree ("started_at","id");
CREATE INDEX "rollouts_version" ON "rollouts" USING btree ("version");
CREATE INDEX "served_deletions_order" ON "served_deletions" USING btree ("tenant_code","dataset","updated_at",
		"id");
CREATE INDEX "served_event_counts_order" ON "served_event_counts" USING btree ("tenant_code","updated_at",
		"id");
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_name");
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");
CREATE INDEX "sign_ins_expiry" ON "sign_ins" USING btree ("expires_at");
CREATE INDEX "site_feedback_event" ON "site_feedback" USING btree ("event_id");
CREATE INDEX "site_orders_pending" ON "site_orders" USING btree ("instance","seq") WHERE state = 'pending';
CREATE INDEX "site_orders_refused" ON "site_orders" USING btree ("instance")
		WHERE state in ('refused', 'unclear');
CREATE INDEX "site_orders_task" ON "site_orders" USING btree ("tenant_code","task_id","seq");
CREATE INDEX "site_orders_event" ON "site_orders" USING btree ("event_id","seq");
CREATE INDEX "site_requests_instance" ON "site_requests" USING btree ("instance","asked_at");
CREATE INDEX "site_requests_asked" ON "site_requests" USING btree ("asked_at");
CREATE INDEX "site_requests_id" ON "site_requests" USING btree ("id");
CREATE INDEX "site_upgrades_id" ON "site_upgrades" USING btree ("id");
CREATE INDEX "site_upgrades_version" ON "site_upgrades" USING btree ("version");
CREATE INDEX "site_work_id" ON "site_work" USING btree ("tenant_code","kind","id");
CREATE INDEX "site_work_merged" ON "site_work" USING btree ("instance","merged_into")
		WHERE merged_into is not null;
CREATE INDEX "site_work_split" ON "site_work" USING btree ("instance","split_from")
		WHERE split_from is not null;
CREATE UNIQUE INDEX "source_datasets_processor" ON "source_datasets" USING btree ("tenant_code","processor")
		WHERE processor <> 'none';
CREATE INDEX "task_facts_created" ON "task_facts" USING btree ("tenant_code","created_at");
CREATE INDEX "tasks_id" ON "tasks" USING btree ("id");
CREATE INDEX "tasks_event" ON "tasks" USING btree ("event_id","id") WHERE event_id is not null;
CREATE INDEX "tasks_state" ON "tasks" USING btree ("tenant_code","state","id");
CREATE INDEX "tasks_due" ON "tasks" USING btree ("due_at") WHERE state = 'open' and due_at is not null;
CREATE INDEX "tasks_org" ON "tasks" USING btree ("tenant_code","assignee_org","id")
		WHERE assignee_org is not null;
CREATE INDEX "tasks_origin" ON "tasks" USING btree ("instance","origin_id") WHERE instance is not null;
CREATE INDEX "tasks_updated" ON "tasks" USING btree ("tenant_code","updated_at","id");
CREATE UNIQUE INDEX "users_person" ON "users" USING btree ("issuer","subject");
CREATE INDEX "verdict_changes_number" ON "verdict_changes" USING btree ("change_no");
CREATE INDEX "verdict_changes_event" ON "verdict_changes" USING btree ("event_id");
CREATE UNIQUE INDEX "verdict_changes_decision" ON "verdict_changes" USING btree ("tenant_code","decision_id")
		WHERE decision_id is not null;
CREATE INDEX "verdicts_event" ON "verdicts" USING btree ("event_id");
CREATE INDEX "verdicts_value" ON "verdicts" USING btree ("tenant_code","verdict","event_id");
CREATE INDEX "wbs_nodes_project" ON "wbs_nodes" USING btree ("tenant_code","project_id","parent_id");
CREATE INDEX "webhook_deliveries_id" ON "webhook_deliveries" USING btree ("id");
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("tenant_code","event_id");
CREATE INDEX "webhook_deliveries_recent" ON "webhook_deliveries" USING btree ("tenant_code","webhook_id",
		"created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("tenant_code","webhook_id",
		"next_at") WHERE status = 'pending';
CREATE INDEX "webhook_deliveries_overdue" ON "webhook_deliveries" USING btree ("next_at")
		WHERE status = 'pending';
CREATE INDEX "webhook_deliveries_settled" ON "webhook_deliveries" USING btree ("settled_at")
		WHERE settled_at is not null;
CREATE INDEX "webhook_deliveries_claimed" ON "webhook_deliveries" USING btree ("tenant_code","webhook_id",
		"claimed_until") WHERE status = 'pending' and claimed_until is not null;
CREATE INDEX "webhooks_id" ON "webhooks" USING btree ("id");
CREATE INDEX "webhooks_list" ON "webhooks" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST)
		WHERE removed_at is null;
alter table event_facts add primary key (tenant_code, event_id) include (group_id);
create index event_facts_group on event_facts (group_id, event_id) include (occurred_at);
create index event_facts_place on event_facts (place_id, event_id) include (group_id);
create index event_facts_time on event_facts (tenant_code, occurred_at) include (group_id, place_id);
create table events_first partition of events for values from (minvalue) to (maxvalue);
create table event_facts_first partition of event_facts for values from (minvalue) to (maxvalue);
create table forgotten_events_rest partition of forgotten_events default;
create index milestones_project on milestones (tenant_code, project_id) include (status);
create index task_facts_due on task_facts (tenant_code, due_at) include (created_at, group_key, task_id) where due_at is not null;
alter table kb_chunks alter column embedding set storage external;
create function served_deletion() returns trigger language plpgsql as $$
begin
  insert into served_deletions (tenant_code, dataset, id, updated_at)
  values (old.tenant_code, tg_argv[0], old.id, (extract(epoch from clock_timestamp()) * 1000)::bigint)
  on conflict (tenant_code, dataset, id) do update set updated_at = excluded.updated_at;
  return null;
end $$;
create trigger incidents_served after delete on incidents
  for each row execute function served_deletion('incident_groups');
create trigger tasks_served after delete on tasks
  for each row execute function served_deletion('tasks');
create function site_news(name text) returns void language sql as $$
  select pg_notify('fieldline_news', 'site ' || name);
  select pg_notify('fieldline_news', 'site ' || instance) from sites
    where continues @> array[name] and removed_at is null;
$$;
create function key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('fieldline_news', 'key ' || coalesce(new.key_id, old.key_id));
  return null;
end $$;
create function site_changed() returns trigger language plpgsql as $$
begin
  perform site_news(coalesce(new.instance, old.instance));
  return null;
end $$;
create trigger keys_news after insert or update or delete on keys
  for each row execute function key_changed();
create trigger sites_news after insert or delete or update of tenants, continues, removed_at
  on sites for each row execute function site_changed();
create function inbox_put() returns trigger language plpgsql as $$
begin
  insert into inbox (instance, kind, tenant_code, id)
    values (new.instance, tg_argv[0], new.tenant_code, new.id)
    on conflict (tenant_code, kind, id) do nothing;
  perform site_news(new.instance);
  return null;
end $$;
create function inbox_end() returns trigger language plpgsql as $$
begin
  delete from inbox where tenant_code = old.tenant_code and kind = tg_argv[0] and id = old.id;
  return null;
end $$;
create trigger decisions_open after insert on decisions for each row
  when (new.state = 'pending') execute function inbox_put('decision');
create trigger decisions_settled after update of state on decisions for each row
  when (old.state = 'pending' and new.state <> 'pending') execute function inbox_end('decision');
create trigger decisions_gone after delete on decisions for each row
  when (old.state = 'pending') execute function inbox_end('decision');
create trigger site_orders_open after insert on site_orders for each row
  when (new.state = 'pending') execute function inbox_put('order');
create trigger site_orders_settled after update of state on site_orders for each row
  when (old.state = 'pending' and new.state <> 'pending') execute function inbox_end('order');
create trigger site_orders_gone after delete on site_orders for each row
  when (old.state = 'pending') execute function inbox_end('order');
create trigger group_orders_open after insert on group_orders for each row
  when (new.state = 'pending') execute function inbox_put('group_order');
create trigger group_orders_settled after update of state on group_orders
  for each row when (old.state = 'pending' and new.state <> 'pending')
  execute function inbox_end('group_order');
create trigger group_orders_gone after delete on group_orders for each row
  when (old.state = 'pending') execute function inbox_end('group_order');
create trigger evidence_wants_open after insert on evidence_wants for each row
  when (new.settled_at is null) execute function inbox_put('want');
create trigger evidence_wants_settled after update of settled_at on evidence_wants
  for each row when (old.settled_at is null and new.settled_at is not null)
  execute function inbox_end('want');
create trigger evidence_wants_gone after delete on evidence_wants for each row
  when (old.settled_at is null) execute function inbox_end('want');
create trigger site_libraries_open after insert on kb_site_libraries for each row
  when (new.state = 'waiting') execute function inbox_put('library');
create trigger site_libraries_renewed after update of id, state
  on kb_site_libraries for each row
  when (new.state = 'waiting' and (new.id <> old.id or old.state <> 'waiting'))
  execute function inbox_put('library');
create trigger site_libraries_settled after update of id, state
  on kb_site_libraries for each row
  when (old.state = 'waiting' and (new.id <> old.id or new.state <> 'waiting'))
  execute function inbox_end('library');
create trigger site_libraries_gone after delete on kb_site_libraries for each row
  when (old.state = 'waiting') execute function inbox_end('library');
create trigger site_settings_renewed after update of id, state
  on site_settings for each row
  when (new.state = 'waiting' and (new.id <> old.id or old.state <> 'waiting'))
  execute function inbox_put('settings');
create trigger site_settings_settled after update of id, state
  on site_settings for each row
  when (old.state = 'waiting' and (new.id <> old.id or new.state <> 'waiting'))
  execute function inbox_end('settings');
create trigger site_settings_gone after delete on site_settings for each row
  when (old.state = 'waiting') execute function inbox_end('settings');
create function site_settings_forget() returns trigger language plpgsql as $$
begin
  delete from site_settings where tenant_code = '' and instance = new.instance;
  return null;
end $$;
create trigger sites_forget_settings after update of removed_at on sites
  for each row when (new.removed_at is not null) execute function site_settings_forget();
create function site_settings_again() returns trigger language plpgsql as $$
begin
  update site_settings set state = 'waiting'
    where tenant_code = '' and instance = new.instance and state in ('in_force', 'trying') and version > 0;
  return null;
end $$;
create trigger sources_settings_again after insert on sources
  for each row when (new.channel = 'events') execute function site_settings_again();
create trigger site_requests_open after insert on site_requests for each row
  when (new.state = 'open') execute function inbox_put('request');
create trigger site_requests_settled after update of state on site_requests
  for each row when (old.state = 'open' and new.state <> 'open') execute function inbox_end('request');
create trigger site_requests_gone after delete on site_requests for each row
  when (old.state = 'open') execute function inbox_end('request');
create trigger site_upgrades_given after insert on site_upgrades for each row
  when (new.state = 'waiting') execute function inbox_put('upgrade');
create trigger site_upgrades_renewed after update of id, state
  on site_upgrades for each row
  when (new.state = 'waiting' and (new.id <> old.id or old.state <> 'waiting'))
  execute function inbox_put('upgrade');
create trigger site_upgrades_settled after update of id, state
  on site_upgrades for each row
  when (old.state = 'waiting' and (new.id <> old.id or new.state <> 'waiting'))
  execute function inbox_end('upgrade');
create trigger site_upgrades_gone after delete on site_upgrades for each row
  when (old.state = 'waiting') execute function inbox_end('upgrade');
create function site_upgrades_again() returns trigger language plpgsql as $$
begin
  update site_upgrades set state = 'waiting'
    where tenant_code = '' and instance = new.instance and state = 'taken';
  return null;
end $$;
create trigger sources_upgrades_again after insert on sources
  for each row when (new.channel = 'events') execute function site_upgrades_again();
create function site_upgrades_rename() returns trigger language plpgsql as $$
begin
  update site_upgrades u set instance = new.instance
    where u.tenant_code = '' and u.instance = any(new.continues) and u.instance =
      (select o.instance from site_upgrades o where o.tenant_code = '' and o.instance = any(new.continues)
       order by o.given_at desc, o.instance limit 1)
      and not exists (select 1 from site_upgrades n where n.tenant_code = '' and n.instance = new.instance);
  update rollout_sites s set instance = new.instance
    where s.instance = any(new.continues) and s.instance =
      (select o.instance from rollout_sites o where o.rollout_id = s.rollout_id
       and o.instance = any(new.continues) order by o.place limit 1)
      and not exists (select 1 from rollout_sites n
        where n.rollout_id = s.rollout_id and n.instance = new.instance);
  return null;
end $$;
create trigger sites_rename_upgrades after update of continues on sites
  for each row when (cardinality(new.continues) > 0) execute function site_upgrades_rename();
create trigger sources_moved_news after update of cursor on sources for each row
  when (new.cursor < old.cursor or new.cursor > old.cursor and new.heard_at is not distinct from old.heard_at)
  execute function site_changed();
create trigger sources_gone_news after delete on sources
  for each row execute function site_changed();
create function mark_tasks() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into task_stale (tenant_code, task_id)
    select n.tenant_code, n.id
    from new_rows n join old_rows o on o.tenant_code = n.tenant_code and o.id = n.id
    where (n.type, n.state, n.event_id, n.due_at, n.instance, n.created_at, n.escalated_at is null)
      is distinct from
      (o.type, o.state, o.event_id, o.due_at, o.instance, o.created_at, o.escalated_at is null)
    order by 1, 2 on conflict (tenant_code, task_id) do update set task_id = excluded.task_id;
  elsif tg_op = 'INSERT' then
    insert into task_stale (tenant_code, task_id) select tenant_code, id from new_rows
    order by 1, 2 on conflict (tenant_code, task_id) do update set task_id = excluded.task_id;
  else
    insert into task_stale (tenant_code, task_id) select tenant_code, id from old_rows
    order by 1, 2 on conflict (tenant_code, task_id) do update set task_id = excluded.task_id;
  end if;
  return null;
end $$;
create trigger tasks_come after insert on tasks
  referencing new table as new_rows for each statement execute function mark_tasks();
create trigger tasks_change after update on tasks
  referencing old table as old_rows new table as new_rows for each statement execute function mark_tasks();
create trigger tasks_go after delete on tasks
  referencing old table as old_rows for each statement execute function mark_tasks();
insert into counters (name, value, at) values
  ('event', 0, 0), ('verdict_change', 0, 0), ('task', 0, 0), ('incident', 0, 0), ('notification', 0, 0),
  ('knowledge', 0, 0), ('kb_doc', 0, 0), ('kb_chunk', 0, 0), ('kb_qa', 0, 0), ('kb_change', 0, 0);
insert into event_index_progress (name, events_upto, changes_upto)
values ('events', 0, 0);
insert into served_progress (name, events_upto, changes_upto) values ('events', 0, 0);
insert into retention (name, state) values ('all', '{}');
insert into kb_embedding (name, leased_until) values ('embedding', 0);
