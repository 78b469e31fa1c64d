package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
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

    /** @throws IllegalArgumentException if the text is not a pattern */
    static DnPattern of(String text) {
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
        throw new IllegalArgumentException("No pattern of a DN");
    }

    String dnOf(String name) {
        return new DN(new RDN(attribute, name), parent).toString();
    }
}
