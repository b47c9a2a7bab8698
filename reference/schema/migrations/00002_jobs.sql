-- +goose Up
CREATE TABLE jobs (
    id           TEXT    NOT NULL PRIMARY KEY,
    plan_id      TEXT    NOT NULL REFERENCES plans (id),
    state        TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    attempts     INTEGER NOT NULL,
    error        TEXT    NOT NULL,
    queued_at    INTEGER NOT NULL,
    started_at   INTEGER NOT NULL,
    finished_at  INTEGER NOT NULL,
    heartbeat_at INTEGER NOT NULL
) STRICT;

CREATE INDEX jobs_by_state ON jobs (state, id);

-- +goose Down
DROP TABLE jobs;
