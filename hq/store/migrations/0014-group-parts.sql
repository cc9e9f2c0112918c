-- oldest-code: 14
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
ALTER TABLE "site_work" ADD COLUMN "parts" text collate "C";
