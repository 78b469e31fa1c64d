package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.HexKeyFile;
import dev.latchkey.auth.factory.PluginConfigException;
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
 * @param enabled whether logins of enrolled accounts need a code; false removes all beans
 * @param keyFile file with the key for the encryption of secrets: 64 hexadecimal digits, the output of openssl rand
 *     -hex 32
 * @param formerKeyFiles files with former keys, for decryption only
 * @param issuer the service's name in authenticator apps; default is spring.application.name
 * @param algorithm of new enrolments; few apps support other algorithms than SHA1
 * @param endpointsEnabled the endpoints for a user's own enrolment and devices, under /auth/codes
 * @param rememberDevices whether a login may request a remembered device, which needs no code for a while
 * @param rememberDevicesFor the lifetime of a remembered device, a minute to 365 days
 * @param limitedElsewhere whether other software limits guesses of codes while the login limits are off
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
        return SecretKeys.of(
                HexKeyFile.read(PREFIX + ".key-file", keyFile),
                formerKeyFiles.stream()
                        .map(file -> HexKeyFile.read(PREFIX + ".former-key-files", file))
                        .toArray(Secret[]::new));
    }

    /** Without limits, an attacker guesses six digits within an hour. */
    void requireLimits(Environment service) {
        for (String property : LIMITS) {
            if (!limitedElsewhere && !service.getProperty(property, Boolean.class, true)) {
                throw new PluginConfigException(property
                        + "=false leaves guesses of one-time codes without a limit. Remove the property, or set "
                        + PREFIX + ".limited-elsewhere=true if other software limits guesses, or " + PREFIX
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
