-- Revocations and sessions of Latchkey (auth-jdbc), for MySQL 8 and MariaDB 10.6 and newer.
-- The column service names the service that owns the row. The columns id and owner are the first 16 bytes of a SHA-256; login is the id itself. Times of revocations are seconds since 1970, times of sessions are milliseconds.

CREATE TABLE IF NOT EXISTS latchkey_revocation (
    seq BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    service VARBINARY(100) NOT NULL,
    id BINARY(16) NOT NULL,
    owner BINARY(16),
    not_before BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    INDEX latchkey_revocation_id (id, service),
    INDEX latchkey_revocation_owner (owner, service),
    INDEX latchkey_revocation_seq (service, seq),
    INDEX latchkey_revocation_expires_at (expires_at)
);

CREATE TABLE IF NOT EXISTS latchkey_login (
    service VARBINARY(100) NOT NULL,
    id BINARY(16) NOT NULL,
    seq BIGINT NOT NULL AUTO_INCREMENT UNIQUE,
    owner BINARY(16) NOT NULL,
    login BLOB NOT NULL,
    plugin BLOB NOT NULL,
    subject BLOB NOT NULL,
    token_hash BLOB NOT NULL,
    stamp BLOB NOT NULL,
    methods BLOB NOT NULL,
    started_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    replaced_hash BLOB,
    replaced_seed BLOB,
    replaced_at BIGINT,
    device BLOB,
    address BLOB,
    sent_by VARCHAR(255),
    PRIMARY KEY (id, service),
    INDEX latchkey_login_owner (owner, service, seq),
    INDEX latchkey_login_expires_at (expires_at)
);
