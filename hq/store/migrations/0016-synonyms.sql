-- oldest-code: 14
CREATE TABLE "kb_synonyms" (
	"tenant_code" text collate "C" PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"shipped" boolean NOT NULL,
	"groups" text NOT NULL,
	"set_by" text collate "C" NOT NULL,
	"set_at" bigint NOT NULL
);
