-- oldest-code: 23
ALTER TABLE "open_clients" ADD COLUMN "last_used_at" bigint;
