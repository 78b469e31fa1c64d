package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.PluginConfigException;
import org.jspecify.annotations.Nullable;

/**
 * The place of all accounts: <code>uid={0},ou=people,dc=example,dc=org</code>. A name becomes only a value of the first
 * part, because the library escapes the name (RFC 4514 section 2.4).
 *
 * @param attribute the attribute with the account's name
 * @param parent of all accounts
 */
record DnPattern(String attribute, DN parent) {

    private static final String PLACEHOLDER = "{0}";

    /** @throws PluginConfigException if the text is not a pattern; the message names the right form */
    static DnPattern of(PluginConfig config, String key, String text) {
        try {
            DN dn = new DN(text);
            RDN first = dn.getRDN();
            @Nullable DN parent = dn.getParent();
            boolean isOnlyThere = text.indexOf(PLACEHOLDER) == text.lastIndexOf(PLACEHOLDER);
            if (first != null
                    && parent != null
                    && isOnlyThere
                    && !first.isMultiValued()
                    && first.getAttributeValues()[0].equals(PLACEHOLDER)) {
                return new DnPattern(first.getAttributeNames()[0], parent);
            }
        } catch (LDAPException e) {
            // Reported below, without the parser's message.
        }
        throw config.wrong(key, "a DN that begins with attribute={0}, such as uid={0},ou=people,dc=example,dc=org");
    }

    String dnOf(String name) {
        return new DN(new RDN(attribute, name), parent).toString();
    }
}
