-- +goose Up

-- Days are numbers here: whole UTC days since 1970-01-01.

-- The identity of every accepted span: trace id and span id, 24 bytes. hash is of what is
-- kept of it, so that a second span with the same id can be told from a repetition.
CREATE TABLE span_ids (
  id   BLOB    PRIMARY KEY,
  day  INTEGER NOT NULL,
  hash INTEGER NOT NULL
) WITHOUT ROWID;

-- The spans of one request and day, packed (telemetryblock.go). Block ids are never used
-- twice: they are the marks of dirty_days.
CREATE TABLE span_blocks (
  id    INTEGER PRIMARY KEY AUTOINCREMENT,
  day   INTEGER NOT NULL,
  spans BLOB    NOT NULL
);
CREATE INDEX span_blocks_of_day ON span_blocks (day);

-- What all spans say about a session. It outlives them, or a session would start twice.
CREATE TABLE span_sessions (
  id        TEXT    PRIMARY KEY,
  first_day INTEGER NOT NULL,
  has_start INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE span_counts (
  what TEXT    PRIMARY KEY,
  n    INTEGER NOT NULL
) WITHOUT ROWID;

-- Days whose spans changed since they were aggregated, or that never were. mark is the
-- newest block that made it so.
CREATE TABLE dirty_days (
  day  INTEGER PRIMARY KEY,
  mark INTEGER NOT NULL
);

CREATE TABLE analytics_built (
  day      INTEGER PRIMARY KEY,
  built_at INTEGER NOT NULL,
  spans    INTEGER NOT NULL,
  schema   INTEGER NOT NULL
);

-- body is a JSON array of rows as the API serves them. A day without spans has none.
CREATE TABLE analytics_day (
  kind TEXT    NOT NULL,
  day  INTEGER NOT NULL,
  body TEXT    NOT NULL,
  PRIMARY KEY (kind, day)
) WITHOUT ROWID;

CREATE TABLE analytics_user (
  user_id TEXT    NOT NULL,
  day     INTEGER NOT NULL,
  body    TEXT    NOT NULL,
  PRIMARY KEY (user_id, day)
) WITHOUT ROWID;

-- Who was active when, kept for ever and apart from the rows: counting the users of a
-- month would read a hundred times as much otherwise.
CREATE TABLE user_day (
  day     INTEGER NOT NULL,
  user_id TEXT    NOT NULL,
  PRIMARY KEY (day, user_id)
) WITHOUT ROWID;
CREATE INDEX user_day_of_user ON user_day (user_id, day);

-- The users of the 7 and the 30 days that end with a day, where there are any.
CREATE TABLE analytics_window (
  day     INTEGER PRIMARY KEY,
  weekly  INTEGER NOT NULL,
  monthly INTEGER NOT NULL
);

-- +goose Down
DROP TABLE analytics_window;
DROP TABLE user_day;
DROP TABLE analytics_user;
DROP TABLE analytics_day;
DROP TABLE analytics_built;
DROP TABLE dirty_days;
DROP TABLE span_counts;
DROP TABLE span_sessions;
DROP TABLE span_blocks;
DROP TABLE span_ids;
