-- oldest-code: 24
CREATE TABLE "retried_requests" (
	"caller" text collate "C" NOT NULL,
	"key" text collate "C" NOT NULL,
	"fingerprint" text collate "C" NOT NULL,
	"at" bigint NOT NULL,
	"status" integer,
	"body" text collate "C",
	CONSTRAINT "retried_requests_caller_key_pk" PRIMARY KEY("caller","key")
);
CREATE INDEX "retried_requests_at" ON "retried_requests" USING btree ("at");
