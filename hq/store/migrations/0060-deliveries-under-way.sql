-- oldest-code: 1
-- What is under way is few; to count it must not take reading all that waits for a receiver that is dead.
create index webhook_deliveries_claimed on webhook_deliveries (tenant_code, webhook_id, claimed_until) where status = 'pending' and claimed_until is not null;
