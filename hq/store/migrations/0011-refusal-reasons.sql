-- oldest-code: 10
DROP INDEX "decisions_refused";
DROP INDEX "site_orders_refused";
ALTER TABLE "decisions" ADD COLUMN "told" text;
CREATE INDEX "decisions_refused" ON "decisions" USING btree ("instance") WHERE state in ('refused', 'lost');
CREATE INDEX "site_orders_refused" ON "site_orders" USING btree ("instance")
		WHERE state in ('refused', 'unclear');
