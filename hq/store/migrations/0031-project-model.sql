-- oldest-code: 1
-- The project model, made of landed datasets (hq/project). Ids are the primary keys of the business system.
create table projects (
  tenant_code text collate "C" not null,
  project_id bigint not null,
  code text collate "C" not null,
  name text not null,
  status integer not null,
  health_score integer,
  -- Computed in the transaction that changes what they are computed from.
  plan_progress double precision,
  actual_progress double precision,
  milestones_total integer not null,
  milestones_at_risk integer not null,
  open_ncr integer not null,
  primary key (tenant_code, project_id)
);
create index projects_code on projects (tenant_code, code, project_id desc);

create table wbs_nodes (
  tenant_code text collate "C" not null,
  node_id bigint not null,
  project_id bigint,
  parent_id bigint,
  -- Percent.
  plan double precision,
  actual double precision,
  primary key (tenant_code, node_id)
);
create index wbs_nodes_project on wbs_nodes (tenant_code, project_id, parent_id);

create table milestones (
  tenant_code text collate "C" not null,
  milestone_id bigint not null,
  project_id bigint,
  code text,
  name text,
  status integer,
  primary key (tenant_code, milestone_id)
);
create index milestones_project on milestones (tenant_code, project_id) include (status);

create table ncrs (
  tenant_code text collate "C" not null,
  ncr_id bigint not null,
  project_id bigint,
  closed boolean not null,
  primary key (tenant_code, ncr_id)
);
create index ncrs_open on ncrs (tenant_code, project_id) where not closed;

create table hazards (
  tenant_code text collate "C" not null,
  hazard_id bigint not null,
  project_id bigint,
  major boolean not null,
  primary key (tenant_code, hazard_id)
);

create table purchase_orders (
  tenant_code text collate "C" not null,
  order_id bigint not null,
  project_id bigint,
  milestone_id bigint,
  -- On the critical path, not received, and expected after it is required.
  late boolean not null,
  -- Status 4 or 5 of the milestone that the late order drags; null when it drags none.
  drags integer,
  primary key (tenant_code, order_id)
);
create index purchase_orders_milestone on purchase_orders (tenant_code, milestone_id) where late or drags is not null;
