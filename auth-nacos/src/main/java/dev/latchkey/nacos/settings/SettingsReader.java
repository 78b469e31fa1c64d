package dev.latchkey.nacos.settings;

import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.source.ForwardingHeader;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.KeyRing;
import dev.latchkey.nacos.settings.NacosSettings.DefaultTokens;
import dev.latchkey.nacos.settings.NacosSettings.Rollout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link NacosSettings} from the server's properties. Each mistake is an {@link IllegalArgumentException} with
 * the name of the property.
 */
public final class SettingsReader {

    private static final String PREFIX = ServerProperties.OWN;

    /** The server's own property for the signing key, in Base64. */
    public static final String SECRET = "nacos.core.auth.plugin.nacos.token.secret.key";
    /** The server's own property for the lifetime of tokens, in seconds. */
    public static final String LIFETIME = "nacos.core.auth.plugin.nacos.token.expire.seconds";

    private static final String DEPLOYMENT = "nacos.deployment.type";

    private static final String PREVIOUS_SECRETS = "token.previous.secret.keys";
    private static final String READ_DEFAULT = "rollout.accept.default.tokens";
    private static final String WRITE_DEFAULT = "rollout.write.default.tokens";
    private static final String PROXIES = "trusted.proxies";
    private static final String HEADER = "forwarding.header";
    private static final String CACHE = "password.cache.enabled";
    private static final String CACHE_IDLE = "password.cache.idle.seconds";
    private static final String CACHE_ABSOLUTE = "password.cache.absolute.seconds";
    private static final String CACHE_SIZE = "password.cache.size";
    private static final String REFUSAL_DELAY = "refusal.delay.millis";
    private static final String HASHES = "hashing.at.once";

    private static final Set<String> KNOWN = new TreeSet<>(Set.of(
            PREVIOUS_SECRETS,
            READ_DEFAULT,
            WRITE_DEFAULT,
            PROXIES,
            HEADER,
            CACHE,
            CACHE_IDLE,
            CACHE_ABSOLUTE,
            CACHE_SIZE,
            HASHES,
            REFUSAL_DELAY));

    private static final long DEFAULT_LIFETIME = 18_000;
    private static final int MOST_HASHES = 1_024;

    /**
     * Long enough for 200 hashes of slow processors, since a refused client comes again and has to wait anyway. No
     * request thread waits: see the plugin's threads for logins.
     */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);

    private final ServerProperties properties;

    private SettingsReader(ServerProperties properties) {
        this.properties = properties;
    }

    /**
     * Reads the settings.
     *
     * @param properties of the server
     * @return with a default for each property that is not set
     * @throws IllegalArgumentException for an invalid value or an unknown name
     */
    public static NacosSettings read(ServerProperties properties) {
        for (String name : properties.ownNames()) {
            if (!KNOWN.contains(name) && !SourceReader.reads(name)) {
                throw new IllegalArgumentException(PREFIX + name + " is unknown; known are, each behind " + PREFIX
                        + ": " + String.join(", ", KNOWN) + ", " + SourceReader.SOURCES + ", " + SourceReader.PLUGIN
                        + "<source>.<setting>, " + SourceReader.ROLE + "<role>");
            }
        }
        return new SettingsReader(properties).read();
    }

    private NacosSettings read() {
        if ("console".equalsIgnoreCase(text(DEPLOYMENT))) {
            throw new IllegalArgumentException(DEPLOYMENT + "=console has no users to compare passwords with; "
                    + "latchkey decides in a server, by itself or merged with its console");
        }
        return new NacosSettings(
                key(SECRET, Objects.requireNonNullElse(text(SECRET), "")),
                previousKeys(),
                Duration.ofSeconds(number(LIFETIME, DEFAULT_LIFETIME, 1, Integer.MAX_VALUE)),
                new Rollout(DefaultTokens.of(flag(READ_DEFAULT, false)), DefaultTokens.of(flag(WRITE_DEFAULT, false))),
                proxies(),
                passwordCache(),
                hashing(),
                Duration.ofMillis(number(PREFIX + REFUSAL_DELAY, 1_000, 0, 10_000)),
                new SourceReader(properties).read());
    }

    private List<HmacKey> previousKeys() {
        List<HmacKey> keys = new ArrayList<>();
        for (String each : list(PREVIOUS_SECRETS)) {
            keys.add(key(PREFIX + PREVIOUS_SECRETS, each));
        }
        if (keys.size() >= KeyRing.MAX_KEYS) {
            throw new IllegalArgumentException(
                    PREFIX + PREVIOUS_SECRETS + " has at most " + (KeyRing.MAX_KEYS - 1) + " keys, not " + keys.size());
        }
        return keys;
    }

    private TrustedProxies proxies() {
        List<String> networks = list(PROXIES);
        String header = Objects.requireNonNullElse(text(PREFIX + HEADER), ForwardingHeader.X_FORWARDED_FOR.fieldName());
        ForwardingHeader chosen = Arrays.stream(ForwardingHeader.values())
                .filter(each -> each.fieldName().equalsIgnoreCase(header))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        PREFIX + HEADER + " is X-Forwarded-For or Forwarded, not '" + header + "'"));
        if (networks.isEmpty()) {
            return TrustedProxies.undecided(PREFIX + PROXIES);
        }
        return about(PREFIX + PROXIES, () -> TrustedProxies.of(chosen, networks));
    }

    private @Nullable CredentialCacheSettings passwordCache() {
        if (!flag(CACHE, true)) {
            return null;
        }
        CredentialCacheSettings defaults = CredentialCacheSettings.defaults();
        long idle = number(PREFIX + CACHE_IDLE, defaults.idleExpiry().toSeconds(), 1, 86_400);
        long absolute =
                number(PREFIX + CACHE_ABSOLUTE, defaults.absoluteExpiry().toSeconds(), 1, 86_400);
        long size = number(PREFIX + CACHE_SIZE, defaults.maximumSize(), 1, 100_000_000);
        return defaults.withIdleExpiry(Duration.ofSeconds(idle))
                .withAbsoluteExpiry(Duration.ofSeconds(absolute))
                .withMaximumSize(Math.toIntExact(size));
    }

    /**
     * By default the number of processors: fewer would serve fewer first logins. Other threads still run, because the
     * few hashing threads share the processors with them. Only hundreds of concurrent hashes stop a server.
     */
    private HashingSettings hashing() {
        int processors = Runtime.getRuntime().availableProcessors();
        return HashingSettings.defaults()
                .withMaxWait(LONGEST_WAIT)
                .withAtOnce(
                        Math.toIntExact(number(PREFIX + HASHES, Math.min(processors, MOST_HASHES), 1, MOST_HASHES)));
    }

    /** Accepts a key without padding, like the default plugin. */
    private static HmacKey key(String property, String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException(
                    property + " is not set; write the Base64 of at least 32 random bytes, as"
                            + " `openssl rand -base64 48` prints it");
        }
        String padded = text + "=".repeat((4 - text.length() % 4) % 4);
        return about(property, () -> HmacKey.ofBase64(padded));
    }

    private boolean flag(String name, boolean otherwise) {
        String value = text(PREFIX + name);
        if (value == null) {
            return otherwise;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(PREFIX + name + " is true or false, not '" + value + "'");
        };
    }

    private long number(String property, long otherwise, long least, long most) {
        String value = text(property);
        try {
            long number = value == null ? otherwise : Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, with the right form.
        }
        throw new IllegalArgumentException(properties.spelled(property) + " is a whole number from " + least + " to "
                + most + ", not '" + value + "'");
    }

    private List<String> list(String name) {
        String value = text(PREFIX + name);
        return value == null
                ? List.of()
                : Stream.of(value.split(",", -1))
                        .map(String::trim)
                        .filter(each -> !each.isEmpty())
                        .toList();
    }

    private @Nullable String text(String property) {
        return properties.text(property);
    }

    private static <T> T about(String property, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(property + ": " + e.getMessage(), e);
        }
    }
}
