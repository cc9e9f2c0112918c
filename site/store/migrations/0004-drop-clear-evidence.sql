-- oldest-code: 4
DROP INDEX `evidence_jobs_clear`;
ALTER TABLE `evidence_jobs` DROP COLUMN `headers`;
