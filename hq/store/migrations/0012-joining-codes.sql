-- oldest-code: 10
CREATE TABLE "joining_codes" (
	"instance" text collate "C" PRIMARY KEY NOT NULL,
	"code_hash" text collate "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	"created_by" text collate "C" NOT NULL
);
