-- API keys, for PostgreSQL. Times are milliseconds since 1970. The slots of an account's keys differ.

CREATE TABLE IF NOT EXISTS latchkey_api_key (
    id VARCHAR(12) NOT NULL PRIMARY KEY,
    account VARCHAR(255) NOT NULL,
    slot INT NOT NULL,
    plugin VARCHAR(63) NOT NULL,
    key_name VARCHAR(100) NOT NULL,
    scopes VARCHAR(1000) NOT NULL,
    digest VARCHAR(100) NOT NULL,
    former_digest VARCHAR(100),
    former_until BIGINT,
    created BIGINT NOT NULL,
    expires BIGINT,
    last_used BIGINT
);

CREATE UNIQUE INDEX IF NOT EXISTS latchkey_api_key_slot ON latchkey_api_key (account, slot);
