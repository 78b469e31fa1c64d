-- Roles and permissions, for MariaDB. The collation has another name than in MySQL. Names are compared letter by letter, trailing blanks too.

CREATE TABLE IF NOT EXISTS latchkey_role_permission (
    role_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    resource VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    actions VARCHAR(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    PRIMARY KEY (role_name, resource)
);

CREATE TABLE IF NOT EXISTS latchkey_role_include (
    role_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    included VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    PRIMARY KEY (role_name, included)
);

CREATE TABLE IF NOT EXISTS latchkey_subject_role (
    subject VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    role_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    PRIMARY KEY (subject, role_name)
);
