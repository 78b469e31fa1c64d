package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.time.Duration;
import java.util.List;

/**
 * The configuration of one directory.
 *
 * @param cacheExpiry the time a right password is accepted without asking again; zero for never
 */
record LdapSettings(ServerSettings servers, AccountSettings accounts, GroupSettings groups, Duration cacheExpiry) {

    /** With a longer expiry than a quarter of an hour, a changed password would take effect too late. */
    private static final PluginSetting<Duration> CACHE_EXPIRY = PluginSetting.duration(
                    "cache-expiry", "the time for which a right password is cached; 0s asks the directory each time")
            .within("0s", "15m")
            .withDefault("15m");

    /** In the order of the README. */
    static final List<PluginSetting<?>> ALL = List.of(
            ServerSettings.URLS,
            ServerSettings.ENCRYPTION,
            TrustedCertificates.FILE,
            TrustedCertificates.PASSWORD,
            ServiceAccount.BIND_DN,
            ServiceAccount.FILE,
            ServiceAccount.PASSWORD,
            AccountSettings.BASE,
            AccountSettings.FILTER,
            AccountSettings.ID,
            AccountSettings.PATTERN,
            AccountSettings.CLAIMS,
            GroupSettings.BASE,
            GroupSettings.FILTER,
            GroupSettings.NAME,
            GroupSettings.MEMBER_OF,
            GroupSettings.PREFIX,
            GroupSettings.CASE,
            GroupSettings.ALWAYS,
            ServerSettings.TIMEOUT,
            ServerSettings.CONNECT_TIMEOUT,
            ServerSettings.MAX_CONNECTIONS,
            CACHE_EXPIRY);

    /** Reports the mistakes between settings. Without mistakes, {@link #of} fails only for an unusable file. */
    static void check(PluginEnvironment environment) {
        ServerSettings.check(environment);
        TrustedCertificates.check(environment);
        ServiceAccount.check(environment);
        AccountSettings.check(environment);
        GroupSettings.check(environment);
    }

    static LdapSettings of(PluginEnvironment environment) {
        return new LdapSettings(
                ServerSettings.of(environment),
                AccountSettings.of(environment),
                GroupSettings.of(environment),
                environment.get(CACHE_EXPIRY));
    }
}
