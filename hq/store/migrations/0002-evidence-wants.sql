-- oldest-code: 1
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
CREATE UNIQUE INDEX "evidence_wants_id" ON "evidence_wants" USING btree ("id");
CREATE UNIQUE INDEX "evidence_wants_file" ON "evidence_wants" USING btree ("tenant_code","event_id","name")
		WHERE kind = 'keep';
CREATE INDEX "evidence_wants_event" ON "evidence_wants" USING btree ("event_id");
CREATE INDEX "evidence_wants_open" ON "evidence_wants" USING btree ("instance","asked_at")
		WHERE settled_at is null;
