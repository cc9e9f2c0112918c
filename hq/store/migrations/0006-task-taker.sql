-- oldest-code: 1
ALTER TABLE "tasks" ADD COLUMN "taken_over_by" text collate "C";
