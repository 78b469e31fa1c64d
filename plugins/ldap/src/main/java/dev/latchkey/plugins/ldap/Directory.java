package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.factory.PluginEnvironment;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of one directory. If the plugin can look accounts up, an account is found first, and a bind then checks
 * the password on a separate connection. The read entry and its stamp are therefore never newer than the checked
 * password. With a pattern and without a service account, the bind comes first, and the account reads its own entry.
 */
final class Directory implements AutoCloseable {

    private static final Rejected SEVERAL =
            Rejected.because(RejectionReason.UNKNOWN_ACCOUNT).withDetail("several_entries");
    private static final Rejected NO_ID =
            Rejected.because(RejectionReason.UNKNOWN_ACCOUNT).withDetail("no_id");
    private static final Secret NO_PASSWORD_OF_ANYBODY = Secret.of("latchkey-nobody");

    private final AccountSettings accounts;
    private final SubjectReader reader;
    private final InstantSource clock;
    private final Connections ofTheService;
    private final Connections forPasswords;

    Directory(PluginEnvironment environment, LdapSettings settings) {
        this.accounts = settings.accounts();
        this.reader = new SubjectReader(accounts, settings.groups());
        this.clock = environment.clock();
        this.ofTheService = new Connections(environment, settings.servers(), accounts.service());
        this.forPasswords = new Connections(environment, settings.servers(), null);
    }

    /** The decision for this name and password; abstains if a look-up shows that the directory has no such account. */
    Decision decide(String name, Secret password) throws LDAPException {
        return accounts.findsFirst() ? decideFound(name, password) : decideByBind(name, password);
    }

    private Decision decideFound(String name, Secret password) throws LDAPException {
        List<? extends Entry> found = ofTheService.ask(connection -> named(connection, name));
        if (found.isEmpty()) {
            return Decision.abstained();
        }
        if (found.size() > 1) {
            tryAsNobody();
            return SEVERAL;
        }
        Entry account = found.get(0);
        Optional<Rejected> refused =
                forPasswords.ask(connection -> BindAnswer.to(connection, account.getDN(), password));
        return refused.isPresent()
                ? refused.get()
                : ofTheService.ask(connection -> stamped(verdictOf(account, connection), account));
    }

    private Decision decideByBind(String name, Secret password) throws LDAPException {
        return forPasswords.ask(connection -> {
            Optional<Rejected> refused = BindAnswer.to(connection, pattern().dnOf(name), password);
            if (refused.isPresent()) {
                return refused.get();
            }
            List<? extends Entry> own = named(connection, name);
            // No stamp: without the password, the account cannot be read again.
            return own.isEmpty() ? NO_ID : verdictOf(own.get(0), connection);
        });
    }

    /** For an unknown name, spends the time of a wrong password: sends a bind that is rejected. */
    void tryAsNobody() throws LDAPException {
        if (accounts.findsFirst()) {
            String parent = accounts.pattern() == null
                    ? accounts.baseDn()
                    : accounts.pattern().parent().toString();
            String nobody = "cn=" + UUID.randomUUID() + "," + parent;
            forPasswords.ask(connection -> BindAnswer.to(connection, nobody, NO_PASSWORD_OF_ANYBODY));
        }
    }

    /** The account's current state; empty if there is no such account, or the plugin cannot look accounts up. */
    Optional<Verdict> account(String id) throws LDAPException {
        if (!accounts.findsFirst()) {
            return Optional.empty();
        }
        return ofTheService.ask(connection -> {
            List<? extends Entry> found = withId(connection, id);
            return found.size() == 1
                    ? Optional.of(stamped(verdictOf(found.get(0), connection), found.get(0)))
                    : Optional.<Verdict>empty();
        });
    }

    /** Sends a question that succeeds only with the right addresses, certificates and service account. */
    void check() throws LDAPException {
        if (!accounts.findsFirst()) {
            forPasswords.ask(LDAPConnection::isConnected);
            return;
        }
        String base = accounts.pattern() == null
                ? accounts.baseDn()
                : accounts.pattern().parent().toString();
        ofTheService.ask(connection ->
                BoundedSearch.of(connection, base, SearchScope.BASE, FilterTemplate.anything(), 1, List.of("1.1")));
    }

    private Verdict verdictOf(Entry account, LDAPConnection connection) throws LDAPException {
        Optional<Rejected> fault = AccountState.of(account, clock.instant());
        if (fault.isPresent()) {
            return fault.get();
        }
        Optional<String> id = reader.idOf(account);
        if (id.isEmpty()) {
            return NO_ID;
        }
        Subject subject = reader.subjectOf(account, id.get(), connection);
        return Authenticated.as(subject);
    }

    private Verdict stamped(Verdict verdict, Entry account) {
        if (!(verdict instanceof Authenticated login)) {
            return verdict;
        }
        Secret stamp = SubjectReader.stampOf(account);
        Authenticated stamped = stamp == null ? login : login.withStamp(stamp);
        Instant created = SubjectReader.createdOf(account);
        return created == null ? stamped : stamped.withCreated(created);
    }

    private List<? extends Entry> named(LDAPConnection connection, String name) throws LDAPException {
        return accounts.pattern() == null
                ? searched(connection, accounts.filter().with(name))
                : at(connection, accounts.pattern().dnOf(name));
    }

    /** Uses the filter too: an account that has lost a required group must not continue its session. */
    private List<? extends Entry> withId(LDAPConnection connection, String id) throws LDAPException {
        if (accounts.pattern() != null) {
            return at(connection, accounts.pattern().dnOf(id));
        }
        Filter ofId = Filter.createEqualityFilter(accounts.idAttribute(), id);
        return searched(
                connection, Filter.createANDFilter(ofId, accounts.filter().withAnyValue()));
    }

    private List<SearchResultEntry> searched(LDAPConnection connection, Filter filter) throws LDAPException {
        return BoundedSearch.of(connection, accounts.baseDn(), SearchScope.SUB, filter, 2, reader.attributes());
    }

    private List<SearchResultEntry> at(LDAPConnection connection, String dn) throws LDAPException {
        try {
            return BoundedSearch.of(
                    connection, dn, SearchScope.BASE, FilterTemplate.anything(), 1, reader.attributes());
        } catch (LDAPException e) {
            if (e.getResultCode().equals(ResultCode.NO_SUCH_OBJECT)) {
                return List.of();
            }
            throw e;
        }
    }

    private DnPattern pattern() {
        @Nullable DnPattern pattern = accounts.pattern();
        if (pattern == null) {
            throw new IllegalStateException("Accounts that are searched are found first");
        }
        return pattern;
    }

    @Override
    public void close() {
        ofTheService.close();
        forPasswords.close();
    }
}
