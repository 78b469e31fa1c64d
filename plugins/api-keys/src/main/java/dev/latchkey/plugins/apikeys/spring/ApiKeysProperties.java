package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.HexKeyFile;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.plugins.apikeys.ApiKeySettings;
import dev.latchkey.plugins.apikeys.ApiKeys;
import dev.latchkey.plugins.apikeys.ApiKeysPlugin;
import dev.latchkey.plugins.apikeys.KeyDigests;
import dev.latchkey.plugins.apikeys.KeyScopes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of API keys.
 *
 * @param enabled whether keys are accepted; false removes all beans
 * @param keyFile file with the secret for the digests of keys: 64 hexadecimal digits, the output of openssl rand -hex
 *     32
 * @param formerKeyFiles files with former secrets, for checks of earlier digests
 * @param prefix the start of each key: lower-case letters, digits and underscores, with a letter first and an
 *     underscore last
 * @param header the header field for keys
 * @param seenWithin the longest delay before a node sees a change of another node, such as a revocation
 * @param mostPerAccount the limit of keys for each account, including expired keys
 * @param longestLifetime the longest, and default, lifetime of keys from the endpoints
 * @param scopes for each scope, the authorities that allow an account to grant the scope, besides the scope's own
 *     authority
 * @param endpointsEnabled the endpoints for a user's own keys, /auth/api-keys
 */
@ConfigurationProperties(ApiKeysProperties.PREFIX)
record ApiKeysProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Path keyFile,
        @DefaultValue List<Path> formerKeyFiles,
        @DefaultValue(ApiKeySettings.PREFIX) String prefix,
        @DefaultValue(ApiKeysPlugin.HEADER) String header,
        @DefaultValue("10s") Duration seenWithin,
        @DefaultValue("20") int mostPerAccount,
        @DefaultValue("365d") Duration longestLifetime,
        @DefaultValue Map<String, Set<String>> scopes,
        @DefaultValue("false") boolean endpointsEnabled) {

    static final String PREFIX = "latchkey.plugin.api-keys";

    KeyDigests digests() {
        if (keyFile == null) {
            throw new PluginConfigException("Set " + PREFIX
                    + ".key-file to a file with the secret under which API keys are digested; make one with:"
                    + " openssl rand -hex 32. Or set " + PREFIX + ".enabled=false");
        }
        return KeyDigests.of(
                HexKeyFile.read(PREFIX + ".key-file", keyFile),
                formerKeyFiles.stream()
                        .map(file -> HexKeyFile.read(PREFIX + ".former-key-files", file))
                        .toArray(Secret[]::new));
    }

    ApiKeySettings settings() {
        ApiKeySettings settings = ApiKeySettings.defaults();
        settings = checked("prefix", settings, ApiKeySettings::withPrefix, prefix);
        settings = checked("seen-within", settings, ApiKeySettings::withSeenWithin, seenWithin);
        settings = checked("most-per-account", settings, ApiKeySettings::withMostPerAccount, mostPerAccount);
        return settings.withScopes(orWrong("scopes", () -> new KeyScopes(scopes)));
    }

    ApiKeysPlugin plugin(ApiKeys keys) {
        return orWrong("header", () -> ApiKeysPlugin.of(keys).withHeader(header));
    }

    /** {@link #longestLifetime} in whole days. */
    long mostDays() {
        long days = longestLifetime.toDays();
        if (days < 1 || days > 36_500) {
            throw new PluginConfigException(PREFIX + ".longest-lifetime: at least a day, at most a hundred years");
        }
        return days;
    }

    private interface Setting<T> {
        ApiKeySettings in(ApiKeySettings settings, T value);
    }

    private static <T> ApiKeySettings checked(String key, ApiKeySettings settings, Setting<T> setting, T value) {
        return orWrong(key, () -> setting.in(settings, value));
    }

    private static <T> T orWrong(String key, Supplier<T> setting) {
        try {
            return setting.get();
        } catch (IllegalArgumentException e) {
            throw new PluginConfigException(PREFIX + "." + key + ": " + e.getMessage(), e);
        }
    }
}
