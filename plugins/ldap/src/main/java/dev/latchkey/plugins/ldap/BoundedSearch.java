package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchResultListener;
import com.unboundid.ldap.sdk.SearchResultReference;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.Serial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A search with a limit on the number of entries. An answer with too many entries from the server is an error.
 *
 * <p>References to other servers are counted and ignored: Active Directory adds some to each search of a whole domain,
 * and they contain no account.
 */
final class BoundedSearch implements SearchResultListener {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final int MOST_REFERENCES = 100;

    private final transient List<SearchResultEntry> entries = new ArrayList<>();
    private final int most;
    private int references;

    BoundedSearch(int most) {
        this.most = most;
    }

    /**
     * The found entries, at most {@code most}; if the limit is reached, there may be more.
     *
     * @throws LDAPException if the entries could not be determined
     */
    static List<SearchResultEntry> of(
            LDAPConnection connection, String base, SearchScope scope, Filter filter, int most, List<String> attributes)
            throws LDAPException {
        BoundedSearch found = new BoundedSearch(most);
        int seconds = (int) Duration.ofMillis(connection.getConnectionOptions().getResponseTimeoutMillis())
                .plusMillis(999)
                .toSeconds();
        SearchRequest request = new SearchRequest(
                found,
                base,
                scope,
                DereferencePolicy.NEVER,
                most,
                seconds,
                false,
                filter,
                attributes.toArray(String[]::new));
        try {
            connection.search(request);
        } catch (EndlessAnswerException e) {
            throw new LDAPException(ResultCode.DECODING_ERROR, "The server sent more than it was asked for");
        } catch (LDAPSearchException e) {
            boolean hasEnough =
                    e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED) && found.entries.size() == most;
            if (!hasEnough) {
                throw e;
            }
        }
        return found.entries;
    }

    @Override
    public void searchEntryReturned(SearchResultEntry entry) {
        if (entries.size() == most) {
            throw new EndlessAnswerException();
        }
        entries.add(entry);
    }

    @Override
    public void searchReferenceReturned(SearchResultReference reference) {
        references++;
        if (references > MOST_REFERENCES) {
            throw new EndlessAnswerException();
        }
    }

    /** Stops the reading of an answer that may be endless. */
    private static final class EndlessAnswerException extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1L;
    }
}
