package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a subject from an entry: its id, groups and claims. Also computes the stamp, which reveals a changed account.
 */
final class SubjectReader {

    /** With more groups, the token would be too long for every server. */
    private static final int MOST_GROUPS = 1_000;

    private static final int LONGEST_ID = 255;

    /** Constant ids of an account, and attributes with a new value after each change of the password. */
    private static final List<String> STAMPED =
            List.of("entryUUID", "objectGUID", "nsUniqueId", "pwdChangedTime", "pwdLastSet", "krbLastPwdChange");

    /** RFC 4512 section 3.4.2; Active Directory has the attribute too. */
    private static final String CREATED = "createTimestamp";

    private final AccountSettings accounts;
    private final GroupSettings groups;

    SubjectReader(AccountSettings accounts, GroupSettings groups) {
        this.accounts = accounts;
        this.groups = groups;
    }

    /** The attributes for the request: some are returned only if requested. */
    List<String> attributes() {
        Stream<String> own = Stream.of(
                        List.of(accounts.idAttribute()),
                        accounts.claims().values(),
                        STAMPED,
                        List.of(CREATED),
                        AccountState.ATTRIBUTES,
                        groups.memberOf() == null ? List.<String>of() : List.of(groups.memberOf()))
                .flatMap(names -> names.stream());
        return own.distinct().toList();
    }

    /** The single value of the id attribute; empty without a value, with several values, or with an invalid id. */
    Optional<String> idOf(Entry account) {
        String[] values = account.getAttributeValues(accounts.idAttribute());
        if (values == null || values.length != 1) {
            return Optional.empty();
        }
        String id = values[0];
        boolean isId = !id.isBlank() && id.length() <= LONGEST_ID && id.chars().noneMatch(Character::isISOControl);
        return isId ? Optional.of(id) : Optional.empty();
    }

    /** @param connection with permission to read groups */
    Subject subjectOf(Entry account, String id, LDAPConnection connection) throws LDAPException {
        Set<String> authorities = new LinkedHashSet<>(groups.always());
        groupsOf(account, id, connection).stream()
                .filter(group -> !group.isBlank())
                .map(groups::authorityOf)
                .forEach(authorities::add);
        return Subject.of(id).withAuthorities(authorities).withClaimsThatFit(claimsOf(account));
    }

    /** The stamp is text and not a secret; a session contains only a digest. Null if the entry has none of the attributes. */
    static @Nullable Secret stampOf(Entry account) {
        StringBuilder stamp = new StringBuilder();
        for (String name : STAMPED) {
            Attribute attribute = account.getAttribute(name);
            stamp.append('|');
            if (attribute != null && attribute.hasValue()) {
                stamp.append(Base64.getEncoder().encodeToString(attribute.getValueByteArray()));
            }
        }
        boolean hasValue = stamp.length() > STAMPED.size();
        return hasValue ? Secret.of(stamp) : null;
    }

    /** Null where the service account may not read the time. */
    static @Nullable Instant createdOf(Entry account) {
        Date created = account.getAttributeValueAsDate(CREATED);
        return created == null ? null : created.toInstant();
    }

    private Set<String> groupsOf(Entry account, String id, LDAPConnection connection) throws LDAPException {
        Set<String> names = new LinkedHashSet<>();
        if (groups.memberOf() != null) {
            names.addAll(namesIn(account, groups.memberOf()));
        }
        if (groups.searches()) {
            List<SearchResultEntry> found = BoundedSearch.of(
                    connection,
                    groups.baseDn(),
                    SearchScope.SUB,
                    groups.filter().with(account.getDN(), id),
                    MOST_GROUPS + 1,
                    List.of(groups.nameAttribute()));
            for (SearchResultEntry group : found) {
                Optional.ofNullable(group.getAttributeValue(groups.nameAttribute()))
                        .ifPresent(names::add);
            }
            requireFew(found.size());
        }
        requireFew(names.size());
        return names;
    }

    /** Too many groups are an error, because no selection would be right. */
    private static void requireFew(int groups) throws LDAPException {
        if (groups > MOST_GROUPS) {
            throw new LDAPException(ResultCode.SIZE_LIMIT_EXCEEDED, "More than " + MOST_GROUPS + " groups");
        }
    }

    /** Groups are listed by their DNs; the first part has the name. */
    private static List<String> namesIn(Entry account, String attribute) {
        List<String> names = new ArrayList<>();
        String[] values = account.getAttributeValues(attribute);
        for (String value : values == null ? new String[0] : values) {
            names.add(firstPartOf(value));
        }
        return names;
    }

    private static String firstPartOf(String group) {
        try {
            RDN first = new DN(group).getRDN();
            return first == null ? group : first.getAttributeValues()[0];
        } catch (LDAPException e) {
            return group;
        }
    }

    /** One value becomes a text, several become a list. */
    private Map<String, Object> claimsOf(Entry account) {
        Map<String, Object> claims = new LinkedHashMap<>();
        accounts.claims().forEach((claim, attribute) -> {
            String[] values = account.getAttributeValues(attribute);
            if (values != null && values.length > 0) {
                claims.put(claim, values.length == 1 ? values[0] : List.of(values));
            }
        });
        return claims;
    }
}
