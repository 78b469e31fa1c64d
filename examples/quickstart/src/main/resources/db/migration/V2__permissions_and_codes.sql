-- The tables of latchkey-plugin-permissions and latchkey-plugin-one-time-codes, as their jars have them for H2 and PostgreSQL.
create table latchkey_role_permission (
    role_name varchar(255)  not null,
    resource  varchar(500)  not null,
    actions   varchar(1024) not null,
    primary key (role_name, resource)
);

create table latchkey_role_include (
    role_name varchar(255) not null,
    included  varchar(255) not null,
    primary key (role_name, included)
);

create table latchkey_subject_role (
    subject   varchar(255) not null,
    role_name varchar(255) not null,
    primary key (subject, role_name)
);

create table latchkey_one_time_codes (
    account          varchar(255)  not null primary key,
    revision         varchar(32)   not null,
    secret           varchar(255),
    last_step        bigint        not null,
    recovery         varchar(1000) not null,
    devices          varchar(2500) not null,
    pending          varchar(1000),
    pending_since    bigint        not null,
    pending_failures integer       not null
);

-- The permissions of the rules for notes. ROLE_USER of the table authorities is the role USER here.
insert into latchkey_role_permission (role_name, resource, actions) values
    ('USER',   'note:{subject}', 'r,w'),
    ('editor', 'note:*',         'r');

insert into latchkey_subject_role (subject, role_name) values
    ('bob', 'editor');

-- A further account, for the commands of the README. BCrypt, cost 10, as before.
insert into users (username, password, enabled) values
    ('dave', '$2a$10$m83gt/de2zPGLEJYdBLWMu4TxqrNC6c7FJd2vPGz9bk/LpNvgQMye', true);

insert into authorities (username, authority) values
    ('dave', 'ROLE_USER');

create table notes (
    owner varchar(255) not null primary key references users (username),
    text  varchar(1000) not null
);

insert into notes (owner, text) values
    ('alice', 'Six impossible things before breakfast'),
    ('bob',   'Bring the ladder'),
    ('dave',  'Ask about the doors');
