-- +goose Up
CREATE TABLE actions (
    name               TEXT    NOT NULL PRIMARY KEY,
    description        TEXT    NOT NULL,
    definition_of_done TEXT    NOT NULL,
    arguments          TEXT    NOT NULL,
    status             TEXT    NOT NULL CHECK (status IN ('draft', 'available', 'archived')),
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL
) STRICT;

CREATE TABLE plans (
    id          TEXT    NOT NULL PRIMARY KEY,
    action      TEXT    NOT NULL REFERENCES actions (name),
    parent      TEXT    NOT NULL,
    projects    TEXT    NOT NULL,
    arguments   TEXT    NOT NULL,
    phase       TEXT    NOT NULL CHECK (phase IN ('action', 'strategize', 'execute', 'apply')),
    state       TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    started_at  INTEGER NOT NULL,
    finished_at INTEGER NOT NULL
) STRICT;

CREATE INDEX plans_by_stage ON plans (phase, state);
CREATE INDEX plans_by_parent ON plans (parent) WHERE parent <> '';

-- +goose Down
DROP TABLE plans;
DROP TABLE actions;
