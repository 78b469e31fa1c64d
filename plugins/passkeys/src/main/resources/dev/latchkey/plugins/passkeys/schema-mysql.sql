-- Passkeys, for MySQL 8.0.17 and newer. Times are milliseconds since 1970. Ids and accounts are compared letter by letter, trailing blanks too.

CREATE TABLE IF NOT EXISTS latchkey_passkey (
    id VARCHAR(340) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    account VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    slot SMALLINT NOT NULL,
    plugin VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    handle VARCHAR(86) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    key_name VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    public_key VARCHAR(2000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    counter BIGINT NOT NULL,
    verified SMALLINT NOT NULL,
    backup SMALLINT NOT NULL,
    created BIGINT NOT NULL,
    last_used BIGINT,
    CONSTRAINT latchkey_passkey_slot UNIQUE (account, slot)
);

-- Used challenges, for five minutes.
CREATE TABLE IF NOT EXISTS latchkey_passkey_challenge (
    digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    valid_until BIGINT NOT NULL,
    INDEX latchkey_passkey_challenge_end (valid_until)
);
