-- oldest-code: 10
CREATE TABLE "site_hours" (
	"instance" text collate "C" NOT NULL,
	"at" bigint NOT NULL,
	"received" bigint NOT NULL,
	"backlog" bigint NOT NULL,
	"room_bytes" bigint,
	CONSTRAINT "site_hours_instance_at_pk" PRIMARY KEY("instance","at")
);
