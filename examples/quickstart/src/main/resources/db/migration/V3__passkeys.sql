-- The tables of latchkey-plugin-passkeys, as its jar has them for H2 and PostgreSQL.
create table latchkey_passkey (
    id varchar(340) not null primary key,
    account varchar(255) not null,
    slot smallint not null,
    plugin varchar(63) not null,
    handle varchar(86) not null,
    key_name varchar(100) not null,
    public_key varchar(2000) not null,
    counter bigint not null,
    verified smallint not null,
    backup smallint not null,
    created bigint not null,
    last_used bigint,
    constraint latchkey_passkey_slot unique (account, slot)
);

-- Used challenges, for five minutes.
create table latchkey_passkey_challenge (
    digest varchar(64) not null primary key,
    valid_until bigint not null
);

create index latchkey_passkey_challenge_end on latchkey_passkey_challenge (valid_until);
