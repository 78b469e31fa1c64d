package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.PluginConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The configuration of one directory.
 *
 * @param cacheExpiry the time a right password is accepted without asking again; zero for never
 */
record LdapSettings(ServerSettings servers, AccountSettings accounts, GroupSettings groups, Duration cacheExpiry) {

    /** The longest allowed expiry. With a longer one, a changed password would take effect too late. */
    private static final Duration LONGEST_CACHE = Duration.ofMinutes(15);

    /** Reads every key, so that an unknown key is reported. */
    static LdapSettings of(PluginConfig config) {
        ServerSettings servers = ServerSettings.of(config);
        AccountSettings accounts = AccountSettings.of(config);
        GroupSettings groups = GroupSettings.of(config);
        Duration cacheExpiry = config.duration("cache-expiry").orElse(LONGEST_CACHE);
        if (cacheExpiry.isNegative() || cacheExpiry.compareTo(LONGEST_CACHE) > 0) {
            throw config.wrong("cache-expiry", "from 0s, which turns the cache off, to 15m");
        }
        return new LdapSettings(servers, accounts, groups, cacheExpiry);
    }

    /** The parts between the commas, without surrounding blanks; empty if the key is not set. */
    static List<String> listOf(PluginConfig config, String key) {
        return config.text(key).stream()
                .flatMap(list -> Arrays.stream(list.split(",", -1)))
                .map(String::strip)
                .peek(part -> {
                    if (part.isEmpty()) {
                        throw config.wrong(key, "a list with nothing empty between its commas");
                    }
                })
                .toList();
    }
}
