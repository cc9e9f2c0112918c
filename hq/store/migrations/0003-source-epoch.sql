-- oldest-code: 1
-- Epoch of this store under which a source was last stored. A source that stands beyond what is held here, under the
-- epoch that is still current, shows that this store was put back from a copy.
alter table sources add column hub_epoch text collate "C";
