package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import dev.latchkey.auth.factory.PluginSetting;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A search filter with placeholders: <code>(uid={0})</code>. A placeholder's content is only a value, because the
 * content is escaped (RFC 4515 section 3) and each placeholder follows the equals sign of a comparison.
 *
 * @param text from the configuration
 */
record FilterTemplate(String text) {

    /**
     * The text between the comparison's opening bracket and the placeholder: an attribute, the equals sign and
     * optionally the start of a value.
     */
    private static final Pattern EQUALS = Pattern.compile("[A-Za-z0-9.;-]+=[^()]*");

    /** Also allows comparisons by a matching rule of the directory: {@code member:1.2.840.113556.1.4.1941:=}. */
    private static final Pattern EQUALS_BY_RULE = Pattern.compile("[A-Za-z0-9.;:-]+=[^()]*");

    private static final String FILTER_RULE =
            "a filter as RFC 4515 writes it, with all of its brackets, such as (&(objectClass=person)(uid={0}))";

    private static final String FIRST = "{0}";
    private static final String SECOND = "{1}";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[01]}");

    /** Matches every entry. */
    static Filter anything() {
        return Filter.createPresenceFilter("objectClass");
    }

    /** Filters for accounts; {@link #withAnyValue()} can leave the placeholder open. */
    static PluginSetting<FilterTemplate> ofAccounts(PluginSetting<String> setting) {
        return setting.must(
                        text -> text.contains(FIRST) && hasPlaceholdersAfter(EQUALS, FIRST, text),
                        "a filter with attribute={0} in it, such as (uid={0})")
                .must(text -> areFilters(text.replace(FIRST, "x"), text.replace(FIRST, "*")), FILTER_RULE)
                .as(FILTER_RULE, FilterTemplate::new);
    }

    /** Filters for groups: the first placeholder is the account's DN, the second its id. */
    static PluginSetting<FilterTemplate> ofGroups(PluginSetting<String> setting) {
        return setting.must(
                        text -> (text.contains(FIRST) || text.contains(SECOND))
                                && hasPlaceholdersAfter(EQUALS_BY_RULE, FIRST, text)
                                && hasPlaceholdersAfter(EQUALS_BY_RULE, SECOND, text),
                        "a filter with attribute={0} for the account's DN or attribute={1} for its id in it, such as (member={0})")
                .must(text -> areFilters(text.replace(FIRST, "x").replace(SECOND, "x")), FILTER_RULE)
                .as(FILTER_RULE, FilterTemplate::new);
    }

    Filter with(String value) throws LDAPException {
        return Filter.create(text.replace(FIRST, Filter.encodeValue(value)));
    }

    /** Replaces in one pass, so that a value similar to a placeholder is not replaced. */
    Filter with(String first, String second) throws LDAPException {
        StringBuilder filled = new StringBuilder();
        Matcher placeholders = PLACEHOLDER.matcher(text);
        while (placeholders.find()) {
            String value = placeholders.group().equals(FIRST) ? first : second;
            placeholders.appendReplacement(filled, Matcher.quoteReplacement(Filter.encodeValue(value)));
        }
        placeholders.appendTail(filled);
        return Filter.create(filled.toString());
    }

    /** The filter's conditions except the name. */
    Filter withAnyValue() throws LDAPException {
        return Filter.create(text.replace(FIRST, "*"));
    }

    private static boolean hasPlaceholdersAfter(Pattern comparison, String placeholder, String text) {
        for (int at = text.indexOf(placeholder); at >= 0; at = text.indexOf(placeholder, at + 1)) {
            int opened = text.lastIndexOf('(', at);
            if (opened < 0
                    || !comparison.matcher(text.substring(opened + 1, at)).matches()) {
                return false;
            }
        }
        return true;
    }

    private static boolean areFilters(String... texts) {
        for (String text : texts) {
            try {
                Filter.create(text);
            } catch (LDAPException e) {
                return false;
            }
        }
        return true;
    }
}
