-- oldest-code: 14
create function site_news(name text) returns void language sql as $$
  select pg_notify('fieldline_news', 'site ' || name);
  select pg_notify('fieldline_news', 'site ' || instance) from sites
    where continues @> array[name] and removed_at is null;
$$;
create function key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('fieldline_news', 'key ' || coalesce(new.key_id, old.key_id));
  return null;
end $$;
create function site_changed() returns trigger language plpgsql as $$
begin
  perform site_news(coalesce(new.instance, old.instance));
  return null;
end $$;
create trigger keys_news after insert or update or delete on keys
  for each row execute function key_changed();
create trigger sites_news after insert or delete or update of tenants, continues, removed_at
  on sites for each row execute function site_changed();
create trigger decisions_news after insert on decisions
  for each row execute function site_changed();
create trigger site_orders_news after insert on site_orders
  for each row execute function site_changed();
create trigger evidence_wants_news
  after insert or delete or update of state, settled_at, asked_by on evidence_wants
  for each row execute function site_changed();
create trigger sources_moved_news after update of cursor on sources for each row
  when (new.cursor < old.cursor or new.cursor > old.cursor and new.heard_at is not distinct from old.heard_at)
  execute function site_changed();
create trigger sources_gone_news after delete on sources
  for each row execute function site_changed();
