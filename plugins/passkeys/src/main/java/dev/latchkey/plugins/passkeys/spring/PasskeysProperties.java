package dev.latchkey.plugins.passkeys.spring;

import dev.latchkey.auth.PluginConfigException;
import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.passkeys.RelyingParty;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of passkeys.
 *
 * @param enabled whether accounts with a passkey are asked for it; false leaves out all of it
 * @param keyFile file with the key that proves challenges, the same on every node: 64 hexadecimal digits, as openssl rand -hex 32 writes them
 * @param rpId the domain that passkeys belong to, such as example.com; a change makes every passkey useless
 * @param rpName the service, as authenticators show it; spring.application.name where it is not set
 * @param origins the pages that may ask for a passkey; https:// and the domain where none is set
 * @param endpointsEnabled the endpoints for challenges and for a user's own passkeys, /auth/passkeys and what is below it
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

    private static final int HEX_DIGITS = 64;

    RelyingParty service(String application) {
        if (rpId == null) {
            throw new PluginConfigException(
                    "Set " + PREFIX + ".rp-id to the domain that passkeys belong to, such as example.com, or " + PREFIX
                            + ".enabled=false");
        }
        try {
            return new RelyingParty(
                    rpId,
                    rpName == null ? application : rpName,
                    origins.isEmpty() ? Set.of("https://" + rpId) : origins);
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
        String text;
        try {
            text = Files.readString(keyFile, StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            // Without the cause: its message may hold what the file holds.
            throw new PluginConfigException("The key file " + keyFile + " cannot be read as text ("
                    + e.getClass().getSimpleName() + "); make one with: openssl rand -hex 32 > " + keyFile);
        }
        if (text.length() != HEX_DIGITS || !text.chars().allMatch(HexFormat::isHexDigit)) {
            throw new PluginConfigException("The key file " + keyFile
                    + " must hold 64 hexadecimal digits and nothing else; make one with: openssl rand -hex 32 > "
                    + keyFile);
        }
        return Secret.of(HexFormat.of().parseHex(text));
    }
}
