-- +goose Up
-- A job belongs to a process, which says until when, and is to be done with that
-- process' command.
ALTER TABLE jobs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN command TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs RENAME COLUMN heartbeat_at TO leased_until;

-- There is one job at a time for a plan.
UPDATE jobs SET state = 'cancelled', error = 'there was an older job for the plan'
WHERE state IN ('queued', 'running') AND EXISTS (
    SELECT 1 FROM jobs AS older
    WHERE older.plan_id = jobs.plan_id AND older.id < jobs.id AND older.state IN ('queued', 'running')
);
CREATE UNIQUE INDEX jobs_at_work ON jobs (plan_id) WHERE state IN ('queued', 'running');

-- +goose Down
DROP INDEX jobs_at_work;
ALTER TABLE jobs RENAME COLUMN leased_until TO heartbeat_at;
ALTER TABLE jobs DROP COLUMN command;
ALTER TABLE jobs DROP COLUMN owner;
