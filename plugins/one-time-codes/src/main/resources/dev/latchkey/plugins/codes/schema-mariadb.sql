-- The collation tells upper from lower case and counts trailing spaces, as accounts are told apart (MariaDB; the name differs from MySQL).
create table if not exists latchkey_one_time_codes (
    account varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin not null primary key,
    revision varchar(32) not null,
    secret varchar(255),
    last_step bigint not null,
    recovery varchar(1000) not null,
    devices varchar(2500) not null,
    pending varchar(1000),
    pending_since bigint not null,
    pending_failures integer not null
);
