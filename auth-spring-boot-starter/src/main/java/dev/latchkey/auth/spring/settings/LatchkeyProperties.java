package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;
import static dev.latchkey.auth.spring.settings.PropertyRules.requireFieldName;
import static dev.latchkey.auth.spring.settings.PropertyRules.requireOutside;
import static dev.latchkey.auth.spring.settings.PropertyRules.requirePath;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.SecretEncoding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The configuration of Latchkey: {@code latchkey.*}.
 *
 * @param enabled whether Latchkey is active
 * @param service the name of the service in a shared Redis or database; spring.application.name by default. Services that accept
 *     each other's tokens need the same name
 * @param store where revocations and sessions are kept: redis, jdbc or memory. If the named store is not there, the start ends. By
 *     default Redis with auth-redis, else the database with auth-jdbc, else each node's memory
 * @param tenantHeader the header field with the tenant, for plugins; none by default
 * @param plugin the settings of each plugin from the class path, by its name; its type, if the type differs from the name
 * @param plugins the names of the plugins, in order; by default every plugin bean, in bean order
 * @param unusedSteps login steps that the service defines and leaves out on purpose; any other unnamed step stops the start
 * @param sharedSubjects plugins whose accounts are the same people as the service's own accounts; subjects of other plugins carry
 *     the plugin's name, as in directory:bob
 * @param cache the cache of verified credentials
 * @param jwt keys, claims and lifetimes of tokens
 * @param login the endpoints for login, logout, refresh and revocation
 * @param guard limits and permits before every password hash
 * @param permissions permissions by authorities and for single features
 * @param authenticationManager plugins in Spring Security's own authentication manager
 * @param trustedIssuers issuers whose tokens are accepted beside Latchkey's own tokens, by a name for each issuer
 */
@ConfigurationProperties("latchkey")
public record LatchkeyProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable List<String> plugins,
        @DefaultValue List<String> unusedSteps,
        @DefaultValue List<String> sharedSubjects,
        @Nullable String service,
        @Nullable Store store,
        @Nullable String tenantHeader,
        @DefaultValue Map<String, Map<String, String>> plugin,
        @DefaultValue Cache cache,
        @DefaultValue Jwt jwt,
        @DefaultValue Login login,
        @NestedConfigurationProperty @DefaultValue GuardProperties guard,
        @DefaultValue Permissions permissions,
        @DefaultValue Managers authenticationManager,
        @DefaultValue Map<String, TrustedIssuerProperties> trustedIssuers) {

    /** The setting of each plugin that bounds the plugin's concurrent calls. The host of the plugins reads this setting. */
    public static final String MAX_CONCURRENT = "max-concurrent";

    /** A revocation is kept for this time longer than the token lives, for verifiers with clock skew. */
    public static final Duration SKEW_ALLOWANCE = Duration.ofMinutes(5);

    private static final Duration ONE_SECOND = Duration.ofSeconds(1);
    private static final Duration ONE_HOUR = Duration.ofHours(1);
    private static final Duration ONE_DAY = Duration.ofDays(1);
    private static final Duration ONE_YEAR = Duration.ofDays(365);
    private static final Duration TEN_YEARS = Duration.ofDays(3650);

    /**
     * Checks the name of the tenant's header field.
     *
     * @param enabled true by default
     * @param plugins null for all plugin beans
     * @param unusedSteps empty if all steps are in use
     * @param sharedSubjects empty if each plugin has its own people
     * @param service null for the name of the application
     * @param store null for the first available store
     * @param tenantHeader the name of a header field (RFC 9110 section 5.1), or null
     * @param plugin empty without settings of plugins
     * @param cache the default settings if nothing is set
     * @param jwt the default settings if nothing is set
     * @param login the default settings if nothing is set
     * @param guard the default settings if nothing is set
     * @param permissions off by default
     * @param authenticationManager on by default
     * @param trustedIssuers empty if only Latchkey's own tokens are accepted
     * @throws LatchkeyConfigurationException if the name is not valid for a header field
     */
    public LatchkeyProperties {
        requireFieldName("latchkey.tenant-header", tenantHeader);
    }

    /**
     * The longest time for which a token of any issuer, or a session, depends on the revocation of a subject. 30 days at least:
     * tokens and sessions of a longer, former lifetime may be in use, and tokens of other issuers are accepted for 30 days at most.
     *
     * @return with {@link #SKEW_ALLOWANCE}
     */
    public Duration longestLifetime() {
        Duration tokens = longer(jwt.longestLifetime(), TrustedIssuerProperties.LARGEST_MAX_AGE);
        return longer(tokens, login.refresh().lifetime()).plus(SKEW_ALLOWANCE);
    }

    /**
     * The longest time for which an access token depends on the end of its session. An hour at least, the default lifetime of
     * tokens: tokens of a longer, former lifetime may be in use. There are many ended sessions, so a minimum of a day would need
     * much memory.
     *
     * @return with {@link #SKEW_ALLOWANCE}
     */
    public Duration longestAfterAnEnd() {
        return longer(ONE_HOUR, jwt.longestLifetime()).plus(SKEW_ALLOWANCE);
    }

    /**
     * The known name that a misspelt name probably means.
     *
     * @param name not among the known names
     * @param known the known names
     * @return empty if more than a third of the letters differ
     */
    public static Optional<String> nearest(String name, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(each -> EditDistance.between(name, each)))
                .filter(each -> EditDistance.between(name, each) <= name.length() / 3);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /**
     * The cache of verified credentials.
     *
     * @param enabled whether the cache stands before the service's password encoders
     * @param absoluteExpiry a credential is verified again after this time
     * @param maximumSize the maximal number of cached credentials
     */
    public record Cache(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1h") Duration absoluteExpiry,
            @DefaultValue("10000") int maximumSize) {

        /**
         * Checks the ranges.
         *
         * @param enabled true by default
         * @param absoluteExpiry a second to a day
         * @param maximumSize 1 to 100,000,000
         * @throws LatchkeyConfigurationException if a value is out of range; the message names its property
         */
        public Cache {
            requireBetween("latchkey.cache.absolute-expiry", absoluteExpiry, ONE_SECOND, ONE_DAY);
            requireBetween("latchkey.cache.maximum-size", maximumSize, 1, 100_000_000);
        }

        /**
         * Converts these properties for the cache.
         *
         * @return the settings
         */
        public CredentialCacheSettings settings() {
            return CredentialCacheSettings.defaults()
                    .withAbsoluteExpiry(absoluteExpiry)
                    .withMaximumSize(maximumSize);
        }
    }

    /**
     * Tokens.
     *
     * @param secret the signing key of at least 32 bytes: Base64, or better a file with the key, as in file:/run/secrets/jwt.key.
     *     The file contains Base64 or Base64url, as from openssl rand -base64 32
     * @param verifyingSecretFiles files with further keys that only verify: the previous key, or the next key
     * @param reloadInterval how often Latchkey reads the key files again; zero for never
     * @param issuer the token's issuer (iss), set at signing and required at verification; none by default
     * @param audience the token's audience (aud), set at signing and required at verification; none by default
     * @param type the token's type (typ in the header), set at signing and required at verification, such as at+jwt (RFC 9068); by default
     *     tokens have the type JWT, and all types are accepted
     * @param lifetime how long a token is valid
     * @param maxLifetime the longest lifetime for a single login, by a TokenCustomizer for example; by default the lifetime
     * @param secretEncoding how the texts of all secrets become keys: base64, or text, jjwt, jjwt-0-9 or nimbus for the secret of
     *     an existing service
     * @param algorithm the algorithm of all keys; by default the algorithm for the key's length
     * @param oldTokens the claims of tokens from before Latchkey
     */
    public record Jwt(
            @Nullable Secret secret,
            @DefaultValue List<Path> verifyingSecretFiles,
            @DefaultValue("30s") Duration reloadInterval,
            @Nullable String issuer,
            @Nullable String audience,
            @Nullable String type,
            @DefaultValue("1h") Duration lifetime,
            @Nullable Duration maxLifetime,
            @DefaultValue("base64") SecretEncoding secretEncoding,
            @Nullable HmacAlgorithm algorithm,
            @NestedConfigurationProperty @DefaultValue OldTokensProperties oldTokens) {

        /**
         * Checks that the settings fit together.
         *
         * @param secret null if a bean has the key
         * @param verifyingSecretFiles empty without a secret
         * @param reloadInterval zero for never, or a millisecond to a year
         * @param issuer null for none
         * @param audience null for none
         * @param type 1 to 255 characters of visible ASCII; null for {@code JWT}
         * @param lifetime a second to a year
         * @param maxLifetime the lifetime to a year; null for the lifetime
         * @param secretEncoding strict Base64 by default
         * @param algorithm null for the algorithm of the key's length
         * @param oldTokens none by default
         * @throws LatchkeyConfigurationException if values do not fit together or are out of range; the message names the
         *     property
         */
        public Jwt {
            if (!reloadInterval.isZero()) {
                requireBetween("latchkey.jwt.reload-interval", reloadInterval, Duration.ofMillis(1), ONE_YEAR);
            }
            requireBetween("latchkey.jwt.lifetime", lifetime, ONE_SECOND, ONE_YEAR);
            if (type != null && !type.matches("[!-~]{1,255}")) {
                throw new LatchkeyConfigurationException(
                        "latchkey.jwt.type is not a type of tokens",
                        "Set latchkey.jwt.type to 1 to 255 characters of visible ASCII, such as at+jwt, or remove the property.");
            }
            if (maxLifetime != null) {
                requireBetween("latchkey.jwt.max-lifetime", maxLifetime, lifetime, ONE_YEAR);
            }
            if (verifyingSecretFiles.stream().anyMatch(Objects::isNull)) {
                throw new LatchkeyConfigurationException(
                        "latchkey.jwt.verifying-secret-files has an empty entry",
                        "Remove the entry, or the comma before or after it.");
            }
            if (!verifyingSecretFiles.isEmpty() && secret == null) {
                throw new LatchkeyConfigurationException(
                        "latchkey.jwt.verifying-secret-files is set, and no key that signs is",
                        "Set latchkey.jwt.secret too; a service with keys of its own adds these to its RotatingKeys bean.");
            }
        }

        /**
         * The longest lifetime of an access token. Keys are kept for this time.
         *
         * @return {@link #maxLifetime} or {@link #lifetime}
         */
        public Duration longestLifetime() {
            return maxLifetime == null ? lifetime : maxLifetime;
        }

        /**
         * The file with the signing key.
         *
         * @return null without a secret, or if the secret is the key itself
         */
        public @Nullable Path secretFile() {
            return secret == null ? null : SecretText.file("latchkey.jwt.secret", secret);
        }
    }

    /**
     * The login endpoint.
     *
     * @param enabled whether the login and logout endpoints exist
     * @param basePath the path of all endpoints: /token below this path issues tokens, /revoke and /logout revoke tokens, /logins lists sessions
     * @param path a second path of the token endpoint, for clients with a path of their own; none by default, and
     *     /nacos/v1/auth/users/login if the response has the form of Nacos
     * @param response the form of the token response at the second path
     * @param passwordGrant whether the token endpoint accepts grant_type=password, a grant that OAuth 2.1 omits; logins without a grant type do
     *     not need this grant
     * @param clients registered clients of the token endpoint, by their ids; without an entry, clients are not authenticated
     * @param introspection whether registered clients can ask about tokens (RFC 7662), at /introspect below the base path
     * @param refresh tokens that prolong a session
     * @param maxPerAccount how many sessions an account may have at a time, 1 to 40; by default no bound but the 50 that a store keeps
     * @param whenFull the reaction to a login beyond this number: refuse, end-oldest or end-oldest-of-device; by default end-oldest
     * @param logins listing the sessions of an account
     */
    public record Login(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/auth") String basePath,
            @Nullable String path,
            @DefaultValue("oauth") ResponseShape response,
            @DefaultValue("true") boolean passwordGrant,
            @DefaultValue Map<String, ClientProperties> clients,
            @DefaultValue("false") boolean introspection,
            @DefaultValue Refresh refresh,
            @Nullable Integer maxPerAccount,
            LoginsProperties.@Nullable WhenFull whenFull,
            @NestedConfigurationProperty @DefaultValue LoginsProperties logins) {

        /** The login path of a Nacos server, for clients of Nacos 1 to 3. */
        private static final String PATH_OF_NACOS = "/nacos/v1/auth/users/login";

        /**
         * Refuses malformed paths, equal paths, and settings that need refresh tokens without these tokens.
         *
         * @param enabled false by default
         * @param basePath begins with a slash, and contains no pattern
         * @param path begins with a slash, and contains no pattern; null for none
         * @param response the form of OAuth by default
         * @param passwordGrant true by default
         * @param clients empty for none
         * @param introspection true only if the login endpoint is enabled
         * @param refresh enabled only if the login endpoint is enabled
         * @param maxPerAccount 1 to 40, only with refresh tokens; null for the bound of the store
         * @param whenFull null without {@code maxPerAccount}
         * @param logins enabled only with refresh tokens
         * @throws LatchkeyConfigurationException if the values do not fit together, or a value is out of range; the message
         *     names the property
         */
        public Login {
            requirePath("latchkey.login.base-path", basePath);
            path = path == null && response == ResponseShape.NACOS ? PATH_OF_NACOS : path;
            if (path != null) {
                requirePath("latchkey.login.path", path);
                requireOutside("latchkey.login.path", path, "latchkey.login.base-path", basePath);
            }
            if (introspection && !enabled) {
                throw new LatchkeyConfigurationException(
                        "latchkey.login.introspection is true, and latchkey.login.enabled is not",
                        "Set latchkey.login.enabled to true as well.");
            }
            if (refresh.enabled() && !enabled) {
                throw new LatchkeyConfigurationException(
                        "latchkey.login.refresh.enabled is true, and latchkey.login.enabled is not",
                        "Set latchkey.login.enabled to true as well.");
            }
            logins.requireLoginsThatAreKept(refresh, maxPerAccount, whenFull);
        }
    }

    /** The place of revocations and sessions. */
    public enum Store {
        /** The service's Redis or Valkey, by {@code auth-redis}. */
        REDIS,
        /** The service's database, by {@code auth-jdbc}. */
        JDBC,
        /** The memory of each node, for a single node. */
        MEMORY
    }

    /** The form of the answer to a login. */
    public enum ResponseShape {
        /** As in RFC 6749 section 5.1. */
        OAUTH,
        /** The form for clients of Nacos. */
        NACOS
    }

    /**
     * Refresh tokens.
     *
     * @param enabled whether a login also returns a refresh token
     * @param lifetime the end of a session, with or without refreshes
     * @param idleLifetime the end of a session without refreshes
     * @param raceWindow how long a replaced refresh token is answered again with its replacement, for two tabs that refresh at
     *     once; zero for never
     */
    public record Refresh(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("30d") Duration lifetime,
            @DefaultValue("7d") Duration idleLifetime,
            @DefaultValue("5s") Duration raceWindow) {

        private static final Duration LONGEST_RACE = Duration.ofMinutes(1);

        /**
         * Checks the ranges.
         *
         * @param enabled false by default
         * @param lifetime a second to ten years
         * @param idleLifetime a second to ten years
         * @param raceWindow at most a minute
         * @throws LatchkeyConfigurationException if a value is out of range; the message names its property
         */
        public Refresh {
            requireBetween("latchkey.login.refresh.lifetime", lifetime, ONE_SECOND, TEN_YEARS);
            requireBetween("latchkey.login.refresh.idle-lifetime", idleLifetime, ONE_SECOND, TEN_YEARS);
            requireBetween("latchkey.login.refresh.race-window", raceWindow, Duration.ZERO, LONGEST_RACE);
        }
    }

    /**
     * Permissions.
     *
     * @param byAuthorities whether an authority grants the permission of its name, resource.action; a star stands for any text
     * @param features whether an account can be banned from single features for a time, by the FeatureBans bean
     */
    public record Permissions(
            @DefaultValue("false") boolean byAuthorities,
            @DefaultValue("false") boolean features) {}

    /**
     * Spring Security's own authentication manager, for HTTP Basic and forms.
     *
     * @param enabled whether Spring Security's own authentication manager asks the plugins, if a plugin checks passwords
     */
    public record Managers(@DefaultValue("true") boolean enabled) {}
}
