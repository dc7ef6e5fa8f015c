-- +goose Up

-- apps and report are JSON objects as the contract shows them. NULL is what a report did
-- not say.
CREATE TABLE readiness_reports (
  seq           INTEGER PRIMARY KEY,
  id            TEXT    NOT NULL UNIQUE,
  repo_id       TEXT    NOT NULL,
  repo_url      TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  apps          TEXT    NOT NULL CHECK (json_type(apps) = 'object'),
  report        TEXT    NOT NULL CHECK (json_type(report) = 'object'),
  commit_hash   TEXT,
  branch        TEXT,
  local_changes INTEGER,
  unpushed      INTEGER,
  model_id      TEXT,
  effort        TEXT,
  agent_version TEXT
);
CREATE INDEX readiness_newest ON readiness_reports (created_at, id);
CREATE INDEX readiness_of_repo ON readiness_reports (repo_id, created_at, id);
CREATE INDEX readiness_of_url ON readiness_reports (repo_url, created_at, id);

-- extra is a JSON object of the optional fields of a message.
CREATE TABLE messages (
  seq        INTEGER PRIMARY KEY,
  session_id TEXT    NOT NULL REFERENCES sessions (id),
  id         TEXT    NOT NULL,
  role       TEXT    NOT NULL CHECK (role IN ('user', 'assistant', 'tool', 'system')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  content    TEXT    NOT NULL CHECK (json_type(content) = 'array'),
  extra      TEXT    NOT NULL CHECK (json_type(extra) = 'object')
);
CREATE UNIQUE INDEX messages_id ON messages (session_id, id);
CREATE INDEX messages_oldest ON messages (session_id, created_at, id);

-- +goose Down
DROP TABLE messages;
DROP TABLE readiness_reports;
