package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.PluginConfigException;
import dev.latchkey.plugins.codes.CodeAlgorithm;
import dev.latchkey.plugins.codes.SecretKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/**
 * Settings of one-time codes.
 *
 * @param enabled whether accounts that have enrolled are asked; false leaves out all of it
 * @param keyFile file with the key that encrypts secrets: 64 hexadecimal digits, as openssl rand -hex 32 writes them
 * @param formerKeyFiles files with former keys, which decrypt what they encrypted
 * @param issuer the service, as apps show it beside the account; spring.application.name where it is not set
 * @param algorithm what new enrolments use; apps that know another one than SHA1 are few
 * @param endpointsEnabled the endpoints for a user's own enrolment and devices, /auth/codes and what is below it
 * @param rememberDevices whether a login may ask that its device need not show a code for a while
 * @param rememberDevicesFor for how long that is at most, a minute to 365 days
 * @param limitedElsewhere whether something else limits guesses at codes, where the login limits are switched off
 */
@ConfigurationProperties(OneTimeCodesProperties.PREFIX)
record OneTimeCodesProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Path keyFile,
        @DefaultValue List<Path> formerKeyFiles,
        @Nullable String issuer,
        @DefaultValue("SHA1") CodeAlgorithm algorithm,
        @DefaultValue("false") boolean endpointsEnabled,
        @DefaultValue("false") boolean rememberDevices,
        @DefaultValue("30d") Duration rememberDevicesFor,
        @DefaultValue("false") boolean limitedElsewhere) {

    static final String PREFIX = "latchkey.plugin.one-time-codes";

    private static final List<String> LIMITS = List.of("latchkey.guard.enabled", "latchkey.guard.limits.enabled");

    SecretKeys keys() {
        if (keyFile == null) {
            throw new PluginConfigException("Set " + PREFIX
                    + ".key-file to a file with the key that encrypts the secrets of"
                    + " one-time codes; make one with: openssl rand -hex 32. Or set " + PREFIX + ".enabled=false");
        }
        return SecretKeys.fromFiles(keyFile, formerKeyFiles);
    }

    /** Six digits are guessed within the hour where nobody counts. */
    void requireLimits(Environment service) {
        for (String property : LIMITS) {
            if (!limitedElsewhere && !service.getProperty(property, Boolean.class, true)) {
                throw new PluginConfigException(
                        property + "=false leaves guesses at one-time codes without a limit. Remove it, or set "
                                + PREFIX + ".limited-elsewhere=true where something else limits them, or " + PREFIX
                                + ".enabled=false");
            }
        }
    }

    String issuerOr(String application) {
        String name = issuer == null ? application : issuer;
        if (name.isBlank()) {
            throw new PluginConfigException("Set " + PREFIX
                    + ".issuer or spring.application.name to the name that apps show" + " beside the account");
        }
        return name;
    }
}
