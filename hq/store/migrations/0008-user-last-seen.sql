-- oldest-code: 7
ALTER TABLE "users" ADD COLUMN "last_seen_at" bigint;
UPDATE "users" u SET "last_seen_at" =
	(SELECT max(s."last_seen_at") FROM "sessions" s WHERE s."user_name" = u."name");
