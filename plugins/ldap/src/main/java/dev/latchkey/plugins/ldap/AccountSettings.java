package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.DN;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.Subject;
import java.util.LinkedHashMap;
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

    static final Pattern ATTRIBUTE = Pattern.compile("[A-Za-z][A-Za-z0-9-]{0,63}");

    private static final String PATTERN = "user-dn-pattern";
    private static final String BASE = "base-dn";
    private static final String FILTER = "user-filter";
    private static final String ID = "id-attribute";
    private static final String USUAL_ID = "uid";

    static AccountSettings of(PluginConfig config) {
        Optional<String> pattern = config.text(PATTERN);
        Optional<String> base = config.text(BASE);
        Optional<String> filter = config.text(FILTER);
        Optional<String> id = config.text(ID);
        @Nullable ServiceAccount service = ServiceAccount.of(config).orElse(null);
        Map<String, String> claims = claimsOf(config);
        if (pattern.isPresent()) {
            if (base.isPresent() || filter.isPresent() || id.isPresent()) {
                throw config.wrong(
                        PATTERN,
                        "set without base-dn, user-filter and id-attribute, which are for accounts that are searched");
            }
            DnPattern dns = DnPattern.of(config, PATTERN, pattern.get());
            return new AccountSettings(
                    service, "", new FilterTemplate("(objectClass=*)"), dns, dns.attribute(), claims);
        }
        if (base.isEmpty()) {
            throw config.wrong(BASE, "set to the DN below which accounts are, or user-dn-pattern to where each is");
        }
        return new AccountSettings(
                service,
                requireDn(config, BASE, base.get()),
                FilterTemplate.ofAccounts(config, FILTER, filter.orElse("(" + id.orElse(USUAL_ID) + "={0})")),
                null,
                requireAttribute(config, ID, id.orElse(USUAL_ID)),
                claims);
    }

    /**
     * Whether an account is looked up before the password check. If not, only the account's own password opens its
     * entry.
     */
    boolean findsFirst() {
        return pattern == null || service != null;
    }

    static String requireDn(PluginConfig config, String key, String dn) {
        if (!DN.isValidDN(dn)) {
            throw config.wrong(key, "a DN such as ou=people,dc=example,dc=org");
        }
        return dn;
    }

    static String requireAttribute(PluginConfig config, String key, String attribute) {
        if (!ATTRIBUTE.matcher(attribute).matches()) {
            throw config.wrong(key, "the name of an attribute, such as uid or memberOf");
        }
        return attribute;
    }

    private static Map<String, String> claimsOf(PluginConfig config) {
        String rule = "claim=attribute pairs between commas, such as email=mail,name=displayName";
        Map<String, String> claims = new LinkedHashMap<>();
        for (String pair : LdapSettings.listOf(config, "claims")) {
            int equals = pair.indexOf('=');
            String claim = equals < 0 ? "" : pair.substring(0, equals).strip();
            String attribute = pair.substring(equals + 1).strip();
            if (!ATTRIBUTE.matcher(attribute).matches() || claims.put(claim, attribute) != null) {
                throw config.wrong("claims", rule);
            }
        }
        try {
            Subject.of("nobody").withClaims(claims);
        } catch (IllegalArgumentException e) {
            throw config.wrong("claims", rule + ". " + e.getMessage());
        }
        return Map.copyOf(claims);
    }
}
