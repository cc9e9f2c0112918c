-- oldest-code: 18
ALTER TABLE "rules" ADD COLUMN "deleted" boolean DEFAULT false NOT NULL;
