package dev.latchkey.auth.spring.settings;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Revocations and sessions in the service's database, where {@code auth-jdbc} is on the class path.
 *
 * @param enabled whether revocations and sessions are kept in the database, where auth-jdbc is on the class path and there is one
 *     DataSource; if set to true without these, the start ends
 */
@ConfigurationProperties("latchkey.jdbc")
public record JdbcProperties(@DefaultValue("true") boolean enabled) {}
