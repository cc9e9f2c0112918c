-- oldest-code: 1
-- One hub process at a time computes the vectors that chunks lack.
create table kb_embedding (
  name text collate "C" primary key,
  lease text collate "C",
  leased_until bigint not null
);
insert into kb_embedding (name, leased_until) values ('embedding', 0);
