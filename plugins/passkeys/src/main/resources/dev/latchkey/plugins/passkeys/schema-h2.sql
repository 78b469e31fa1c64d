-- Passkeys, for H2 2 and newer. Times are milliseconds since 1970.

CREATE TABLE IF NOT EXISTS latchkey_passkey (
    id VARCHAR(340) NOT NULL PRIMARY KEY,
    account VARCHAR(255) NOT NULL,
    slot SMALLINT NOT NULL,
    plugin VARCHAR(63) NOT NULL,
    handle VARCHAR(86) NOT NULL,
    key_name VARCHAR(100) NOT NULL,
    public_key VARCHAR(2000) NOT NULL,
    counter BIGINT NOT NULL,
    verified SMALLINT NOT NULL,
    backup SMALLINT NOT NULL,
    created BIGINT NOT NULL,
    last_used BIGINT,
    CONSTRAINT latchkey_passkey_slot UNIQUE (account, slot)
);

-- Used challenges, for five minutes.
CREATE TABLE IF NOT EXISTS latchkey_passkey_challenge (
    digest VARCHAR(64) NOT NULL PRIMARY KEY,
    valid_until BIGINT NOT NULL
);

CREATE INDEX IF NOT EXISTS latchkey_passkey_challenge_end ON latchkey_passkey_challenge (valid_until);
