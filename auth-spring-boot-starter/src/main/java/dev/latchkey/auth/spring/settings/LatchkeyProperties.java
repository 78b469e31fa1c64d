package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;
import static dev.latchkey.auth.spring.settings.PropertyRules.requireDifferent;
import static dev.latchkey.auth.spring.settings.PropertyRules.requireFieldName;
import static dev.latchkey.auth.spring.settings.PropertyRules.requirePath;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The configuration of Latchkey, under {@code latchkey.*}.
 *
 * @param enabled whether Latchkey does anything at all; false gives back the service as it was
 * @param service whose sessions, revocations and limits these are in a Redis or database that services share; spring.application.name where it is not
 *     set. Services that accept each other's tokens need the same one
 * @param tenantHeader the header field that names the tenant which plugins are shown; none where it is not set
 * @param plugin the settings of each plugin that was found on the class path, by its name; its type, where that is not its name
 * @param plugins the plugins to ask, by name and in order; where it is not set, every plugin that is a bean, in bean order
 * @param unusedSteps login steps that the service defines and leaves out on purpose; any other step that latchkey.plugins does not name stops the start
 * @param sharedSubjects plugins whose accounts are the same people as those of the service's own accounts; the subjects of other plugins are named after
 *     their plugin, as in directory:bob
 * @param cache the cache of verified credentials
 * @param jwt keys, claims and lifetimes of tokens
 * @param login the endpoints for login, logout, refresh and revocation
 * @param guard what stands before every password hash
 * @param resourceServer what Spring's OAuth2 resource server gets
 * @param defaultChain what Boot's own filter chain gets
 * @param events what is published as Spring Security's events
 * @param permissions who asks the plugins for permissions
 * @param authenticationManager whom Spring Security's own authentication manager asks
 */
@ConfigurationProperties("latchkey")
public record LatchkeyProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable List<String> plugins,
        @DefaultValue List<String> unusedSteps,
        @DefaultValue List<String> sharedSubjects,
        @Nullable String service,
        @Nullable String tenantHeader,
        @DefaultValue Map<String, Map<String, String>> plugin,
        @DefaultValue Cache cache,
        @DefaultValue Jwt jwt,
        @DefaultValue Login login,
        @NestedConfigurationProperty @DefaultValue GuardProperties guard,
        @DefaultValue ResourceServer resourceServer,
        @DefaultValue BootChain defaultChain,
        @DefaultValue Events events,
        @DefaultValue Permissions permissions,
        @DefaultValue Managers authenticationManager) {

    /** The setting of each plugin that bounds its calls. The host of the plugins reads it, and no plugin. */
    public static final String MAX_CONCURRENT = "max-concurrent";

    private static final Duration ONE_SECOND = Duration.ofSeconds(1);
    private static final Duration ONE_DAY = Duration.ofDays(1);
    private static final Duration ONE_YEAR = Duration.ofDays(365);
    private static final Duration TEN_YEARS = Duration.ofDays(3650);

    /**
     * Refuses a tenant's field whose name is none.
     *
     * @param enabled true also where nothing is set
     * @param plugins null for all that are beans
     * @param unusedSteps empty where every step is asked
     * @param sharedSubjects empty where each plugin has people of its own
     * @param service null for the name of the application
     * @param tenantHeader the name of a header field (RFC 9110 section 5.1), or null
     * @param plugin empty where no plugin is configured
     * @param cache its defaults where nothing is set
     * @param jwt its defaults where nothing is set
     * @param login its defaults where nothing is set
     * @param guard its defaults where nothing is set
     * @param resourceServer on where nothing is set
     * @param defaultChain on where nothing is set
     * @param events on where nothing is set
     * @param permissions on where nothing is set
     * @param authenticationManager on where nothing is set
     * @throws LatchkeyConfigurationException if the field has a name that no field can have
     */
    public LatchkeyProperties {
        requireFieldName("latchkey.tenant-header", tenantHeader);
    }

    /**
     * The cache of verified credentials.
     *
     * @param enabled whether the service's password encoders are put behind the cache
     * @param idleExpiry a credential that was not used for this long is verified anew
     * @param absoluteExpiry a credential is verified anew after this long, however often it was used
     * @param maximumSize how many credentials are remembered
     * @param maximumPerStoredHash how many passwords are remembered for one stored hash
     */
    public record Cache(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("10m") Duration idleExpiry,
            @DefaultValue("1h") Duration absoluteExpiry,
            @DefaultValue("10000") int maximumSize,
            @DefaultValue("8") int maximumPerStoredHash) {

        /**
         * Refuses what is out of range.
         *
         * @param enabled true also where nothing is set
         * @param idleExpiry a second to a day
         * @param absoluteExpiry a second to a day
         * @param maximumSize 1 to 100,000,000
         * @param maximumPerStoredHash 1 to 64
         * @throws LatchkeyConfigurationException if a value is out of its range; the message names its property
         */
        public Cache {
            requireBetween("latchkey.cache.idle-expiry", idleExpiry, ONE_SECOND, ONE_DAY);
            requireBetween("latchkey.cache.absolute-expiry", absoluteExpiry, ONE_SECOND, ONE_DAY);
            requireBetween("latchkey.cache.maximum-size", maximumSize, 1, 100_000_000);
            requireBetween("latchkey.cache.maximum-per-stored-hash", maximumPerStoredHash, 1, 64);
        }

        /**
         * The same as the cache takes it.
         *
         * @return with each of the values
         */
        public CredentialCacheSettings settings() {
            return CredentialCacheSettings.defaults()
                    .withIdleExpiry(idleExpiry)
                    .withAbsoluteExpiry(absoluteExpiry)
                    .withMaximumSize(maximumSize)
                    .withMaximumPerStoredHash(maximumPerStoredHash);
        }
    }

    /**
     * Tokens.
     *
     * @param enabled whether tokens are checked and issued where a signing key is set
     * @param secret the signing key in Base64, at least 32 bytes; better kept in a file
     * @param secretFile the file that holds the signing key in Base64 or Base64url, as openssl rand -base64 64 writes it
     * @param verifyingSecretFiles files with further keys that verify and never sign: the one before the present one, or the next
     * @param reloadInterval how often the key files are looked at for a change; never where it is zero
     * @param issuer the token's issuer (iss), set when signing and demanded when verifying; none where it is not set
     * @param audience the token's audience (aud), set when signing and demanded when verifying; none where it is not set
     * @param lifetime how long a token is valid
     */
    public record Jwt(
            @DefaultValue("true") boolean enabled,
            @Nullable Secret secret,
            @Nullable Path secretFile,
            @DefaultValue List<Path> verifyingSecretFiles,
            @DefaultValue("30s") Duration reloadInterval,
            @Nullable String issuer,
            @Nullable String audience,
            @DefaultValue("1h") Duration lifetime) {

        /**
         * Refuses two keys that sign, keys that only verify beside none that signs, and what is out of range.
         *
         * @param enabled true also where nothing is set
         * @param secret null where there is a file, or a bean has the key
         * @param secretFile null where there is a secret, or a bean has the key
         * @param verifyingSecretFiles empty unless one of the two before is there
         * @param reloadInterval zero for never
         * @param issuer null for none
         * @param audience null for none
         * @param lifetime a second to a year
         * @throws LatchkeyConfigurationException if the values do not fit together, or one is out of its range; the message names the property
         */
        public Jwt {
            requireBetween("latchkey.jwt.lifetime", lifetime, ONE_SECOND, ONE_YEAR);
            if (secret != null && secretFile != null) {
                throw new LatchkeyConfigurationException(
                        "Both latchkey.jwt.secret and latchkey.jwt.secret-file are set", "Keep one of them: the file.");
            }
            if (!verifyingSecretFiles.isEmpty() && secret == null && secretFile == null) {
                throw new LatchkeyConfigurationException(
                        "latchkey.jwt.verifying-secret-files is set, and no key that signs is",
                        "Set latchkey.jwt.secret-file too; a service with keys of its own adds these to its RotatingKeys bean.");
            }
        }
    }

    /**
     * The login endpoint.
     *
     * @param enabled whether the login and logout endpoints are there
     * @param path the path where a name and a password become a token
     * @param logoutPath the path where the token that a request carries is made worthless
     * @param revokePath the path where the token that a body names is made worthless
     * @param response the shape of the answer
     * @param maxBodySize the longest body of a login that is read
     * @param refresh tokens that prolong a login
     * @param maxPerAccount how many logins an account may have at a time, 1 to 40; any number where it is not set
     * @param whenFull what becomes of a login beyond that: refuse, end-oldest or end-oldest-of-device; end-oldest where it is not set
     * @param logins listing the logins of an account
     */
    public record Login(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/auth/login") String path,
            @DefaultValue("/auth/logout") String logoutPath,
            @DefaultValue("/auth/revoke") String revokePath,
            @DefaultValue("oauth") ResponseShape response,
            @DefaultValue("8KB") DataSize maxBodySize,
            @DefaultValue Refresh refresh,
            @Nullable Integer maxPerAccount,
            LoginsProperties.@Nullable WhenFull whenFull,
            @NestedConfigurationProperty @DefaultValue LoginsProperties logins) {

        /**
         * Refuses what is no path, paths that are the same, and settings that want refresh tokens without them.
         *
         * @param enabled false where nothing is set
         * @param path begins with a slash, and holds no pattern
         * @param logoutPath begins with a slash, and holds no pattern
         * @param revokePath begins with a slash, and holds no pattern
         * @param response that of OAuth where nothing is set
         * @param maxBodySize 64 bytes to 1 MB
         * @param refresh enabled only together with this
         * @param maxPerAccount 1 to 40 and with refresh tokens; null for any number
         * @param whenFull null unless there is a number
         * @param logins enabled only with refresh tokens
         * @throws LatchkeyConfigurationException if the values do not fit together, or one is out of its range; the message names the property
         */
        public Login {
            requirePath("latchkey.login.path", path);
            requirePath("latchkey.login.logout-path", logoutPath);
            requireBetween("latchkey.login.max-body-size", maxBodySize, DataSize.ofBytes(64), DataSize.ofMegabytes(1));
            requirePath("latchkey.login.revoke-path", revokePath);
            requireDifferent(Map.of(
                    "latchkey.login.path", path,
                    "latchkey.login.logout-path", logoutPath,
                    "latchkey.login.revoke-path", revokePath,
                    "latchkey.login.refresh.path", refresh.path(),
                    "latchkey.login.logins.path", logins.path()));
            if (refresh.enabled() && !enabled) {
                throw new LatchkeyConfigurationException(
                        "latchkey.login.refresh.enabled is true, and latchkey.login.enabled is not",
                        "Set latchkey.login.enabled to true as well.");
            }
            logins.requireLoginsThatAreKept(refresh, maxPerAccount, whenFull);
        }

        /**
         * The longest body of a login that is read.
         *
         * @return bytes, 64 to 1,048,576
         */
        public int maxBodyBytes() {
            return Math.toIntExact(maxBodySize.toBytes());
        }
    }

    /** What the answer to a login looks like. */
    public enum ResponseShape {
        /** As RFC 6749 section 5.1 has it. */
        OAUTH,
        /** As the clients of Nacos read it. */
        NACOS
    }

    /**
     * Refresh tokens.
     *
     * @param enabled whether a login is answered with a refresh token too
     * @param path the path where a refresh token becomes a new access token and a new refresh token
     * @param lifetime when a login ends, however often it is prolonged
     * @param idleLifetime when a login ends that is not prolonged
     * @param maxLogins how many logins are remembered where they are kept in memory
     * @param raceWindow how long a refresh token that was just used is answered once more with what replaced it, for two tabs that refresh at once;
     *     zero turns that off
     */
    public record Refresh(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/auth/refresh") String path,
            @DefaultValue("30d") Duration lifetime,
            @DefaultValue("7d") Duration idleLifetime,
            @DefaultValue("100000") int maxLogins,
            @DefaultValue("5s") Duration raceWindow) {

        private static final Duration LONGEST_RACE = Duration.ofMinutes(1);

        /**
         * Refuses what is no path or out of range.
         *
         * @param enabled false where nothing is set
         * @param path begins with a slash, and holds no pattern
         * @param lifetime a second to ten years
         * @param idleLifetime a second to ten years
         * @param maxLogins 1 to 100,000,000
         * @param raceWindow at most a minute
         * @throws LatchkeyConfigurationException if a value is out of its range; the message names its property
         */
        public Refresh {
            requirePath("latchkey.login.refresh.path", path);
            requireBetween("latchkey.login.refresh.lifetime", lifetime, ONE_SECOND, TEN_YEARS);
            requireBetween("latchkey.login.refresh.idle-lifetime", idleLifetime, ONE_SECOND, TEN_YEARS);
            requireBetween("latchkey.login.refresh.max-logins", maxLogins, 1, 100_000_000);
            requireBetween("latchkey.login.refresh.race-window", raceWindow, Duration.ZERO, LONGEST_RACE);
        }
    }

    /**
     * Spring's OAuth2 resource server.
     *
     * @param enabled whether it gets a decoder for Latchkey's tokens where there is a signing key and no other issuer
     */
    public record ResourceServer(@DefaultValue("true") boolean enabled) {}

    /**
     * Boot's own filter chain, where the service has none.
     *
     * @param enabled whether tokens, plugins and login are added to Boot's own filter chain, where there are any
     */
    public record BootChain(@DefaultValue("true") boolean enabled) {}

    /**
     * Spring Security's events.
     *
     * @param enabled whether what the plugins decide is published as Spring Security's events, which Boot's audit records
     */
    public record Events(@DefaultValue("true") boolean enabled) {}

    /**
     * Permissions.
     *
     * @param enabled whether hasPermission of method security asks the plugins, and the rules of filter chains can
     */
    public record Permissions(@DefaultValue("true") boolean enabled) {}

    /**
     * Spring Security's own authentication manager, which HTTP Basic and forms ask.
     *
     * @param enabled whether it asks the plugins, where one of them decides passwords besides users
     */
    public record Managers(@DefaultValue("true") boolean enabled) {}
}
