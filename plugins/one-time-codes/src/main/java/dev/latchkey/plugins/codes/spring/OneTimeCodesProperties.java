package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.PluginConfigException;
import dev.latchkey.plugins.codes.CodeAlgorithm;
import dev.latchkey.plugins.codes.SecretKeys;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of one-time codes.
 *
 * @param enabled whether accounts that have enrolled are asked; false leaves out all of it
 * @param keyFile file with the key that encrypts secrets: 64 hexadecimal digits, as openssl rand -hex 32 writes them
 * @param formerKeyFiles files with former keys, which decrypt what they encrypted
 * @param issuer the service, as apps show it beside the account; spring.application.name where it is not set
 * @param algorithm what new enrolments use; apps that know another one than SHA1 are few
 * @param endpointsEnabled the endpoints for a user's own enrolment, /auth/codes and /auth/codes/confirm, in a servlet service
 */
@ConfigurationProperties(OneTimeCodesProperties.PREFIX)
record OneTimeCodesProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Path keyFile,
        @DefaultValue List<Path> formerKeyFiles,
        @Nullable String issuer,
        @DefaultValue("SHA1") CodeAlgorithm algorithm,
        @DefaultValue("false") boolean endpointsEnabled) {

    static final String PREFIX = "latchkey.plugin.one-time-codes";

    SecretKeys keys() {
        if (keyFile == null) {
            throw new PluginConfigException("Set " + PREFIX
                    + ".key-file to a file with the key that encrypts the secrets of"
                    + " one-time codes; make one with: openssl rand -hex 32. Or set " + PREFIX + ".enabled=false");
        }
        return SecretKeys.fromFiles(keyFile, formerKeyFiles);
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
