package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.DN;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules for finding accounts, and the attributes of the subject.
 *
 * @param service null if the plugin asks the directory without an account
 * @param baseDn the base of the search for accounts; empty with a pattern
 * @param pattern null if accounts are searched
 * @param idAttribute its single value is the subject's id
 * @param claims the attribute of each claim
 */
record AccountSettings(
        @Nullable ServiceAccount service,
        String baseDn,
        FilterTemplate filter,
        @Nullable DnPattern pattern,
        String idAttribute,
        Map<String, String> claims) {

    static final String DN_RULE = "a DN such as ou=people,dc=example,dc=org";
    static final String ATTRIBUTE_RULE = "the name of an attribute, such as uid or memberOf";

    private static final String CLAIMS_RULE =
            "claim=attribute pairs between commas, such as email=mail,name=displayName";
    private static final Pattern ATTRIBUTE = Pattern.compile("[A-Za-z][A-Za-z0-9-]{0,63}");
    private static final String USUAL_ID = "uid";

    static final PluginSetting<DnPattern> PATTERN = PluginSetting.text(
                    "user-dn-pattern", "the DN of each account, in place of base-dn, user-filter and id-attribute")
            .as("a DN that begins with attribute={0}, such as uid={0},ou=people,dc=example,dc=org", DnPattern::of);

    static final PluginSetting<String> BASE =
            PluginSetting.text("base-dn", "the entry above all accounts").must(DN::isValidDN, DN_RULE);

    static final PluginSetting<FilterTemplate> FILTER = FilterTemplate.ofAccounts(
            PluginSetting.text("user-filter", "the filter for the account with the sent name; (uid={0}) by default"));

    static final PluginSetting<String> ID = PluginSetting.text(
                    "id-attribute", "the attribute with the subject's id, a single value; uid by default")
            .must(AccountSettings::isAttribute, ATTRIBUTE_RULE);

    static final PluginSetting<Map<String, String>> CLAIMS = PluginSetting.list(
                    "claims", "the attributes for claims of tokens")
            .as(CLAIMS_RULE, AccountSettings::claimsOf);

    static void check(PluginEnvironment environment) {
        Optional<String> base = environment.find(BASE);
        boolean isSearched = base.isPresent()
                || environment.find(FILTER).isPresent()
                || environment.find(ID).isPresent();
        boolean hasPattern = environment.find(PATTERN).isPresent();
        if (hasPattern && isSearched) {
            var unused = environment.wrong(
                    PATTERN,
                    "set without base-dn, user-filter and id-attribute, which are for accounts that are searched");
        } else if (!hasPattern && base.isEmpty()) {
            var unused = environment.wrong(
                    BASE, "set to the DN below which accounts are, or user-dn-pattern to where each is");
        }
        try {
            Subject.of("nobody").withClaims(environment.find(CLAIMS).orElse(Map.of()));
        } catch (IllegalArgumentException e) {
            var unused = environment.wrong(CLAIMS, CLAIMS_RULE + ". " + e.getMessage());
        }
    }

    static AccountSettings of(PluginEnvironment environment) {
        @Nullable ServiceAccount service = ServiceAccount.of(environment).orElse(null);
        Map<String, String> claims = environment.find(CLAIMS).orElse(Map.of());
        Optional<DnPattern> pattern = environment.find(PATTERN);
        if (pattern.isPresent()) {
            return new AccountSettings(
                    service,
                    "",
                    new FilterTemplate("(objectClass=*)"),
                    pattern.get(),
                    pattern.get().attribute(),
                    claims);
        }
        String idAttribute = environment.find(ID).orElse(USUAL_ID);
        return new AccountSettings(
                service,
                environment.get(BASE),
                environment.find(FILTER).orElse(new FilterTemplate("(" + idAttribute + "={0})")),
                null,
                idAttribute,
                claims);
    }

    /**
     * Whether an account is looked up before the password check. If not, only the account's own password opens its
     * entry.
     */
    boolean findsFirst() {
        return pattern == null || service != null;
    }

    static boolean isAttribute(String text) {
        return ATTRIBUTE.matcher(text).matches();
    }

    private static Map<String, String> claimsOf(List<String> pairs) {
        Map<String, String> claims = new LinkedHashMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            String claim = equals < 0 ? "" : pair.substring(0, equals).strip();
            String attribute = pair.substring(equals + 1).strip();
            if (!isAttribute(attribute) || claims.put(claim, attribute) != null) {
                throw new IllegalArgumentException(CLAIMS_RULE);
            }
        }
        return Map.copyOf(claims);
    }
}
