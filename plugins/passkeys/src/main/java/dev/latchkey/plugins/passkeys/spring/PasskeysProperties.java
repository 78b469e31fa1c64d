package dev.latchkey.plugins.passkeys.spring;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.HexKeyFile;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.plugins.passkeys.RelyingParty;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of passkeys.
 *
 * @param enabled whether accounts with a passkey are asked for the passkey; false removes all beans of the plugin
 * @param keyFile file with the key that signs challenges, the same on every node: 64 hexadecimal digits, as from openssl rand
 *     -hex 32
 * @param rpId the domain of the passkeys, such as example.com; a change invalidates every passkey
 * @param rpName the service's name in authenticators; spring.application.name by default
 * @param origins the pages that may ask for a passkey; https:// and the domain by default
 * @param endpointsEnabled the endpoints for challenges and for a user's own passkeys, below /auth/passkeys
 */
@ConfigurationProperties(PasskeysProperties.PREFIX)
record PasskeysProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Path keyFile,
        @Nullable String rpId,
        @Nullable String rpName,
        @DefaultValue Set<String> origins,
        @DefaultValue("false") boolean endpointsEnabled) {

    static final String PREFIX = "latchkey.plugin.passkeys";

    RelyingParty service(String application) {
        if (rpId == null) {
            throw new PluginConfigException(
                    "Set " + PREFIX + ".rp-id to the domain that passkeys belong to, such as example.com, or " + PREFIX
                            + ".enabled=false");
        }
        String name = rpName == null ? application : rpName;
        if (name.isBlank()) {
            throw new PluginConfigException("Set " + PREFIX
                    + ".rp-name or spring.application.name to the name that authenticators show beside the account");
        }
        try {
            return new RelyingParty(rpId, name, origins.isEmpty() ? Set.of("https://" + rpId) : origins);
        } catch (IllegalArgumentException e) {
            throw new PluginConfigException(PREFIX + ".rp-id, .rp-name and .origins: " + e.getMessage());
        }
    }

    Secret key() {
        if (keyFile == null) {
            throw new PluginConfigException("Set " + PREFIX
                    + ".key-file to a file with the key that proves challenges; make one with: openssl rand -hex 32. Or set "
                    + PREFIX + ".enabled=false");
        }
        return HexKeyFile.read(PREFIX + ".key-file", keyFile);
    }
}
