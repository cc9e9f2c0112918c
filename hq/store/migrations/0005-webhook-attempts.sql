-- oldest-code: 1
CREATE TABLE "webhook_attempts" (
	"tenant_code" text collate "C" NOT NULL,
	"delivery_id" text collate "C" NOT NULL,
	"attempt" integer NOT NULL,
	"at" bigint NOT NULL,
	"response_code" integer,
	"response_body" text collate "C",
	"error" text collate "C",
	CONSTRAINT "webhook_attempts_tenant_code_delivery_id_attempt_pk" PRIMARY KEY("tenant_code","delivery_id",
		"attempt")
);
ALTER TABLE "webhooks" ADD COLUMN "disabled_at" bigint;
ALTER TABLE "webhooks" ADD COLUMN "disabled_by" text collate "C";
ALTER TABLE "webhooks" ADD COLUMN "disabled_reason" text collate "C";
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_fk" FOREIGN KEY ("tenant_code",
		"delivery_id") REFERENCES "webhook_deliveries"("tenant_code","id") ON DELETE cascade ON UPDATE no action;
