-- The tables of shared ledgers. Everything is created at once; a later version of govctl
-- sees by govctl_ledgers.version what a ledger was written by.
CREATE TABLE IF NOT EXISTS govctl_ledgers (
	name       TEXT PRIMARY KEY,
	version    INTEGER NOT NULL,          -- of the stored records
	lineage    TEXT NOT NULL,
	serial     BIGINT NOT NULL DEFAULT 0, -- of the newest record
	token      BIGINT NOT NULL DEFAULT 0, -- of the newest lock; never the same twice
	holder     JSON,                      -- of the lock, NULL for nobody
	taken_at   TIMESTAMPTZ,
	expires_at TIMESTAMPTZ
);

CREATE TABLE IF NOT EXISTS govctl_ledger_records (
	ledger TEXT NOT NULL REFERENCES govctl_ledgers (name),
	serial BIGINT NOT NULL, -- from 1, without gaps
	id     TEXT NOT NULL,
	at     TIMESTAMPTZ NOT NULL,
	record JSON NOT NULL, -- the line of a ledger file, to the byte
	PRIMARY KEY (ledger, serial),
	UNIQUE (ledger, id)
);
