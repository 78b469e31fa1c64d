-- Revocations and logins of Latchkey (auth-jdbc), for PostgreSQL 9.6 and newer.
-- The columns id and owner are the first 16 bytes of a SHA-256, login is the id itself. Times of revocations are seconds since 1970, those of logins milliseconds.

CREATE TABLE IF NOT EXISTS latchkey_revocation (
    seq BIGSERIAL PRIMARY KEY,
    id BYTEA NOT NULL,
    owner BYTEA,
    not_before BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS latchkey_revocation_id ON latchkey_revocation (id);
CREATE INDEX IF NOT EXISTS latchkey_revocation_owner ON latchkey_revocation (owner);
CREATE INDEX IF NOT EXISTS latchkey_revocation_expires_at ON latchkey_revocation (expires_at);

CREATE TABLE IF NOT EXISTS latchkey_login (
    id BYTEA PRIMARY KEY,
    seq BIGSERIAL NOT NULL,
    owner BYTEA NOT NULL,
    login BYTEA NOT NULL,
    plugin BYTEA NOT NULL,
    subject BYTEA NOT NULL,
    token_hash BYTEA NOT NULL,
    stamp BYTEA NOT NULL,
    methods BYTEA NOT NULL,
    started_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    replaced_hash BYTEA,
    replaced_seed BYTEA,
    replaced_at BIGINT,
    device BYTEA,
    address BYTEA,
    tellers VARCHAR(255)
);
CREATE INDEX IF NOT EXISTS latchkey_login_owner ON latchkey_login (owner, seq);
CREATE INDEX IF NOT EXISTS latchkey_login_expires_at ON latchkey_login (expires_at);
