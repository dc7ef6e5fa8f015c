-- +goose Up

-- One database serves one organization.
CREATE TABLE organization (
  only_one   INTEGER PRIMARY KEY CHECK (only_one = 1),
  id         TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  created_at INTEGER NOT NULL
);

-- All times are Unix milliseconds. folded is the e-mail address with ASCII letters lowered.
CREATE TABLE users (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  email           TEXT NOT NULL,
  folded          TEXT NOT NULL,
  first_name      TEXT NOT NULL,
  last_name       TEXT NOT NULL,
  role            TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'guest')),
  metadata        TEXT NOT NULL CHECK (json_type(metadata) = 'object'),
  created_at      INTEGER NOT NULL,
  last_sign_in_at INTEGER,
  removed_at      INTEGER
);
CREATE UNIQUE INDEX users_folded ON users (folded) WHERE removed_at IS NULL;

-- Only the SHA-256 of a key is kept; the prefix finds the row.
CREATE TABLE keys (
  prefix     TEXT PRIMARY KEY,
  hash       BLOB NOT NULL,
  name       TEXT NOT NULL,
  user_id    TEXT REFERENCES users (id),
  role       TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'guest')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) WITHOUT ROWID;

-- user_seq is the seq of a member. It is no foreign key: the one writer has just found the
-- member, and looking it up again would read a page of users for each of a hundred rows.
CREATE TABLE limits (
  user_seq INTEGER PRIMARY KEY,
  value    INTEGER NOT NULL,
  set_at   INTEGER NOT NULL,
  set_by   TEXT    NOT NULL
);

CREATE TABLE revisions (
  revision    INTEGER PRIMARY KEY,
  settings    TEXT    NOT NULL,
  actor_id    TEXT    NOT NULL,
  actor_email TEXT    NOT NULL,
  actor_name  TEXT    NOT NULL,
  updated_at  INTEGER NOT NULL
);

-- spec is what only the creation said: repos, autoInstallDeps, serviceAccountId, source.
-- While a retried installation runs (until held_until) the status stays held_status.
CREATE TABLE computers (
  seq              INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  name             TEXT NOT NULL UNIQUE,
  provider         TEXT NOT NULL CHECK (provider IN ('byom', 'sandbox_vendor')),
  created_at       INTEGER NOT NULL,
  host_id          TEXT NOT NULL,
  hostname         TEXT NOT NULL,
  remote_user      TEXT NOT NULL,
  relay_client_url TEXT NOT NULL,
  relay_agent_url  TEXT NOT NULL,
  owner_kind       TEXT NOT NULL,
  owner_id         TEXT NOT NULL,
  spec             TEXT NOT NULL,
  held_status      TEXT NOT NULL DEFAULT '',
  held_until       INTEGER
);

-- A step whose status is '' follows the clock from starts_at to ends_at.
CREATE TABLE computer_steps (
  computer_id TEXT    NOT NULL REFERENCES computers (id),
  position    INTEGER NOT NULL,
  id          TEXT    NOT NULL,
  status      TEXT    NOT NULL,
  error       TEXT    NOT NULL,
  install_id  TEXT    NOT NULL,
  installs    INTEGER NOT NULL,
  starts_at   INTEGER NOT NULL,
  ends_at     INTEGER NOT NULL,
  PRIMARY KEY (computer_id, position)
) WITHOUT ROWID;

CREATE TABLE sessions (
  id            TEXT PRIMARY KEY,
  user_id       TEXT NOT NULL REFERENCES users (id),
  title         TEXT NOT NULL,
  status        TEXT NOT NULL CHECK (status IN ('idle', 'pending', 'running')),
  message_count INTEGER NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  completed_at  INTEGER,
  computer_id   TEXT NOT NULL,
  settings      TEXT NOT NULL CHECK (json_type(settings) = 'object')
) WITHOUT ROWID;
CREATE INDEX sessions_newest ON sessions (updated_at, id);
CREATE INDEX sessions_of_user ON sessions (user_id, updated_at, id);
CREATE INDEX sessions_of_computer ON sessions (computer_id, updated_at, id);

-- +goose Down
DROP TABLE sessions;
DROP TABLE computer_steps;
DROP TABLE computers;
DROP TABLE revisions;
DROP TABLE limits;
DROP TABLE keys;
DROP TABLE users;
DROP TABLE organization;
