-- oldest-code: 19
ALTER TABLE "webhook_attempts" ADD COLUMN "error_told" jsonb;
ALTER TABLE "webhook_deliveries" ADD COLUMN "last_error_told" jsonb;
