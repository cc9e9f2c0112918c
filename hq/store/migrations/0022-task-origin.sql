-- oldest-code: 21
CREATE INDEX "tasks_origin" ON "tasks" USING btree ("instance","origin_id") WHERE instance is not null;
