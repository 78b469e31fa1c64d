-- Revocations and logins of Latchkey (auth-jdbc), for PostgreSQL 9.6 and newer.
-- The column service has the name of the service whose row it is. The columns id and owner are the first 16 bytes of a SHA-256, login is the id itself. Times of revocations are seconds since 1970, those of logins milliseconds.

CREATE TABLE IF NOT EXISTS latchkey_revocation (
    seq BIGSERIAL PRIMARY KEY,
    service BYTEA NOT NULL,
    id BYTEA NOT NULL,
    owner BYTEA,
    not_before BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS latchkey_revocation_id ON latchkey_revocation (id, service);
CREATE INDEX IF NOT EXISTS latchkey_revocation_owner ON latchkey_revocation (owner, service);
CREATE INDEX IF NOT EXISTS latchkey_revocation_expires_at ON latchkey_revocation (expires_at);

CREATE TABLE IF NOT EXISTS latchkey_login (
    service BYTEA NOT NULL,
    id BYTEA NOT NULL,
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
    sent_by VARCHAR(255),
    PRIMARY KEY (id, service)
);
CREATE INDEX IF NOT EXISTS latchkey_login_owner ON latchkey_login (owner, service, seq);
CREATE INDEX IF NOT EXISTS latchkey_login_expires_at ON latchkey_login (expires_at);
