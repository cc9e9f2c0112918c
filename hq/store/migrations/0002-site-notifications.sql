-- oldest-code: 1
CREATE TABLE "notification_sites" (
	"instance" text collate "C" PRIMARY KEY NOT NULL,
	"backlog" bigint NOT NULL,
	"heard_at" bigint NOT NULL,
	"taken_total" bigint NOT NULL,
	"last_taken_at" bigint
);
ALTER TABLE "notifications" ADD COLUMN "handover" text collate "C";
ALTER TABLE "notifications" ADD COLUMN "delivered_by" text collate "C";
ALTER TABLE "notifications" ADD COLUMN "instance" text collate "C";
ALTER TABLE "notifications" ADD COLUMN "origin_id" text collate "C";
CREATE INDEX "notifications_origin" ON "notifications" USING btree ("instance","origin_id")
		WHERE instance is not null;
CREATE INDEX "notifications_of_sites" ON "notifications" USING btree ("instance","state")
		WHERE instance is not null and state <> 'sent';
