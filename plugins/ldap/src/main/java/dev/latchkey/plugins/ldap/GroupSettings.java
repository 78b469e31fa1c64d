package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.DN;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of groups to authorities.
 *
 * @param baseDn the base of the search for groups; empty without a search
 * @param nameAttribute the attribute with a group's name
 * @param memberOf the attribute of an account with its groups; null without such an attribute
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

    private static final String USUAL_FILTER = "(|(member={0})(uniqueMember={0}))";

    static final PluginSetting<String> BASE = PluginSetting.text(
                    "group-base-dn", "the entry above all groups; without this setting there is no group search")
            .must(DN::isValidDN, AccountSettings.DN_RULE);

    static final PluginSetting<FilterTemplate> FILTER = FilterTemplate.ofGroups(PluginSetting.text(
            "group-filter",
            "the filter for the account's groups; " + USUAL_FILTER
                    + " by default. {0} is the account's DN, {1} the id"));

    static final PluginSetting<String> NAME = PluginSetting.text(
                    "group-name-attribute", "a group's name; cn by default")
            .must(AccountSettings::isAttribute, AccountSettings.ATTRIBUTE_RULE);

    static final PluginSetting<String> MEMBER_OF = PluginSetting.text(
                    "member-of-attribute",
                    "the account's attribute with its groups, in place of a search or in addition")
            .must(AccountSettings::isAttribute, AccountSettings.ATTRIBUTE_RULE);

    static final PluginSetting<String> PREFIX = PluginSetting.text(
                    "authority-prefix", "the start of a group's authority; none for no prefix")
            .withDefault("ROLE_");

    static final PluginSetting<Spelling> CASE = PluginSetting.text(
                    "authority-case", "whether developers becomes ROLE_DEVELOPERS or ROLE_developers")
            .as("upper or kept", text -> switch (text) {
                case "upper" -> Spelling.UPPER_CASE;
                case "kept" -> Spelling.AS_IT_IS;
                default -> throw new IllegalArgumentException();
            })
            .withDefault("upper");

    static final PluginSetting<List<String>> ALWAYS =
            PluginSetting.list("authorities", "authorities of every account, between commas");

    static void check(PluginEnvironment environment) {
        boolean isSearched =
                environment.find(FILTER).isPresent() || environment.find(NAME).isPresent();
        if (isSearched && environment.find(BASE).isEmpty()) {
            var unused = environment.missing(BASE);
        }
    }

    static GroupSettings of(PluginEnvironment environment) {
        String prefix = environment.get(PREFIX);
        return new GroupSettings(
                environment.find(BASE).orElse(""),
                environment.find(FILTER).orElse(new FilterTemplate(USUAL_FILTER)),
                environment.find(NAME).orElse("cn"),
                environment.find(MEMBER_OF).orElse(null),
                prefix.equals("none") ? "" : prefix,
                environment.get(CASE),
                environment.find(ALWAYS).orElse(List.of()));
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
}
