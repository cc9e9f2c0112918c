-- oldest-code: 9
CREATE TABLE "milestone_statuses" (
	"tenant_code" text collate "C" NOT NULL,
	"milestone_id" bigint NOT NULL,
	"status" integer NOT NULL,
	CONSTRAINT "milestone_statuses_tenant_code_milestone_id_pk" PRIMARY KEY("tenant_code","milestone_id")
);
ALTER TABLE "projects" ALTER COLUMN "code" DROP NOT NULL;
ALTER TABLE "projects" ALTER COLUMN "name" DROP NOT NULL;
ALTER TABLE "projects" ALTER COLUMN "status" DROP NOT NULL;
ALTER TABLE "purchase_orders" ADD COLUMN "drags_milestone" bigint;
INSERT INTO "milestone_statuses" SELECT tenant_code, milestone_id, status FROM milestones WHERE status IS NOT NULL;
UPDATE purchase_orders SET drags_milestone = milestone_id WHERE drags IS NOT NULL;
