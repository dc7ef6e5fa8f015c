-- +goose Up

-- Tokens that were taken back before their time. From expires_at on none of them is
-- accepted anyway, and the row is dropped.
CREATE TABLE revoked_tokens (
  id         TEXT    PRIMARY KEY,
  revoked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

-- +goose Down
DROP TABLE revoked_tokens;
