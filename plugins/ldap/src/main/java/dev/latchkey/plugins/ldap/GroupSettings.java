package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.PluginConfig;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of groups to authorities.
 *
 * @param baseDn the base of the search for groups; empty without a search
 * @param nameAttribute a group's name
 * @param memberOf the attribute of an account with its groups; null if there is none
 * @param always authorities of every account in this directory
 */
record GroupSettings(
        String baseDn,
        FilterTemplate filter,
        String nameAttribute,
        @Nullable String memberOf,
        String prefix,
        Spelling spelling,
        List<String> always) {

    /** The spelling of a group's name in an authority. */
    enum Spelling {
        UPPER_CASE,
        AS_IT_IS
    }

    private static final String FILTER = "group-filter";
    private static final String USUAL_FILTER = "(|(member={0})(uniqueMember={0}))";

    static GroupSettings of(PluginConfig config) {
        Optional<String> base = config.text("group-base-dn");
        Optional<String> filter = config.text(FILTER);
        Optional<String> name = config.text("group-name-attribute");
        if (base.isEmpty() && (filter.isPresent() || name.isPresent())) {
            throw config.missing("group-base-dn").get();
        }
        return new GroupSettings(
                base.map(dn -> AccountSettings.requireDn(config, "group-base-dn", dn))
                        .orElse(""),
                FilterTemplate.ofGroups(config, FILTER, filter.orElse(USUAL_FILTER)),
                AccountSettings.requireAttribute(config, "group-name-attribute", name.orElse("cn")),
                config.text("member-of-attribute")
                        .map(attribute -> AccountSettings.requireAttribute(config, "member-of-attribute", attribute))
                        .orElse(null),
                prefixOf(config),
                spellingOf(config),
                LdapSettings.listOf(config, "authorities"));
    }

    boolean searches() {
        return !baseDn.isEmpty();
    }

    /**
     * The same form as Spring Security, {@code ROLE_DEVELOPERS} for {@code developers}, unless configured otherwise.
     */
    String authorityOf(String group) {
        return prefix + (spelling == Spelling.UPPER_CASE ? group.toUpperCase(Locale.ROOT) : group);
    }

    private static String prefixOf(PluginConfig config) {
        String prefix = config.text("authority-prefix").orElse("ROLE_");
        return prefix.equals("none") ? "" : prefix;
    }

    private static Spelling spellingOf(PluginConfig config) {
        return switch (config.text("authority-case").orElse("upper")) {
            case "upper" -> Spelling.UPPER_CASE;
            case "kept" -> Spelling.AS_IT_IS;
            default -> throw config.wrong("authority-case", "upper or kept");
        };
    }
}
