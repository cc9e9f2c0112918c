-- oldest-code: 26
ALTER TABLE "source_datasets" ADD COLUMN "last_error_told" jsonb;
