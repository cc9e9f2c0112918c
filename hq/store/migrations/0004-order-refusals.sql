-- oldest-code: 1
ALTER TABLE "site_orders" ADD COLUMN "told" text;
