-- +goose Up

-- Random values that belong to the service itself, such as the one its tokens are signed with.
CREATE TABLE secrets (
  name       TEXT PRIMARY KEY,
  value      BLOB    NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

-- +goose Down
DROP TABLE secrets;
