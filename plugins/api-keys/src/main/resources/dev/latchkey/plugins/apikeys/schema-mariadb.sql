-- API keys, for MariaDB. The collation has another name than in MySQL. Times are milliseconds since 1970. The slots of an account's keys differ. Ids and accounts are compared letter by letter, trailing blanks too.

CREATE TABLE IF NOT EXISTS latchkey_api_key (
    id VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    account VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    slot INT NOT NULL,
    plugin VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    key_name VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    scopes VARCHAR(1000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    digest VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    former_digest VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin,
    former_until BIGINT,
    created BIGINT NOT NULL,
    expires BIGINT,
    last_used BIGINT,
    UNIQUE INDEX latchkey_api_key_slot (account, slot)
);
