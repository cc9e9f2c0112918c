-- oldest-code: 27
CREATE INDEX "event_days_start" ON "event_days" USING btree ("start_at");
