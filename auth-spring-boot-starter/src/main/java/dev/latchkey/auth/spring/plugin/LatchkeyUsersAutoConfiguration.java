package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.spring.settings.SettingsConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Import;

/** The service's own accounts as the plugin {@code users}; after Boot's own user. */
@AutoConfiguration(
        before = LatchkeyAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration"
        })
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Import({SettingsConfiguration.class, UsersConfiguration.class, ReactiveUsersConfiguration.class})
public final class LatchkeyUsersAutoConfiguration {}
