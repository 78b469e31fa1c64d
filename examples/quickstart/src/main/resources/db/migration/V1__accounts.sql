-- The tables of Spring Security's JdbcUserDetailsManager.
create table users (
    username varchar(255) not null primary key,
    password varchar(255) not null,
    enabled  boolean      not null
);

create table authorities (
    username  varchar(255) not null references users (username),
    authority varchar(255) not null,
    primary key (username, authority)
);

-- Demo accounts. The hashes are BCrypt, cost 10, of the passwords that the quickstart prints or its README names.
insert into users (username, password, enabled) values
    ('alice', '$2a$10$OG9Mcdm0BUsgsy1jHtJxwuF3U3hq1tLkG2wu013ZW1oHEZpZ9G/.S', true),
    ('bob',   '$2a$10$GgMnRG6HBvaTnhhdmCTgh.nX7tiSkRi/hzrNZ8rMqETtFinKRu9km', true),
    ('carol', '$2a$10$saUEEqZX13HDvOntaKteg.zs/UZT1Bn1JaXwldvBfih5t0/BvafkO', true),
    ('admin', '$2a$10$2Jpe647EzPXTSJrNanOWIe7UZtvH9N7vh7LNTQ/yMpFjK.NNX2on.', true);

insert into authorities (username, authority) values
    ('alice', 'ROLE_USER'),
    ('bob',   'ROLE_USER'),
    ('carol', 'ROLE_USER'),
    ('admin', 'ROLE_USER'),
    ('admin', 'ROLE_ADMIN');
