-- Roles and permissions, for H2 2 and newer.

CREATE TABLE IF NOT EXISTS latchkey_role_permission (
    role_name VARCHAR(255) NOT NULL,
    resource VARCHAR(500) NOT NULL,
    actions VARCHAR(1024) NOT NULL,
    PRIMARY KEY (role_name, resource)
);

CREATE TABLE IF NOT EXISTS latchkey_role_include (
    role_name VARCHAR(255) NOT NULL,
    included VARCHAR(255) NOT NULL,
    PRIMARY KEY (role_name, included)
);

CREATE TABLE IF NOT EXISTS latchkey_subject_role (
    subject VARCHAR(255) NOT NULL,
    role_name VARCHAR(255) NOT NULL,
    PRIMARY KEY (subject, role_name)
);
