package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.factory.PluginEnvironment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The accounts of an LDAP directory as a plugin. Only the directory's answers about an account are decisions. A server
 * that is down, slow or untrusted is an outage. Safe for use by any number of threads.
 */
final class LdapAuthPlugin implements LoginSource<PasswordCredentials> {

    private static final Logger LOG = LoggerFactory.getLogger(LdapAuthPlugin.class);

    /** Longer than any person's name or password. */
    private static final int MAX_NAME_CHARS = 255;

    private static final int MAX_PASSWORD_BYTES = 1024;

    private final PluginEnvironment environment;
    private final String name;
    private final Duration cacheExpiry;
    private final Directory directory;
    private final BoundedCalls calls;
    private volatile boolean closed;

    LdapAuthPlugin(PluginEnvironment environment, LdapSettings settings) {
        this.environment = environment;
        this.name = environment.name();
        this.cacheExpiry = settings.cacheExpiry();
        this.directory = new Directory(environment, settings);
        this.calls = new BoundedCalls(
                name, settings.servers().maxCalls(), settings.servers().timeout());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public Optional<Duration> reusableFor() {
        return cacheExpiry.isZero() ? Optional.empty() : Optional.of(cacheExpiry);
    }

    /** The id is the value of an attribute. */
    @Override
    public boolean hasStoredNames() {
        return true;
    }

    @Override
    public Decision authenticate(PasswordCredentials login, RequestContext context) {
        if (closed) {
            return Rejected.because(RejectionReason.NOT_RECOGNIZED);
        }
        if (!canBeName(login.username())) {
            return Decision.abstained();
        }
        Optional<Rejected> unusable = faultOf(login.password());
        return unusable.isPresent()
                ? unusable.get()
                : calls.run(() -> directory.decide(login.username(), login.password()));
    }

    @Override
    public void unrecognized(PasswordCredentials credentials) {
        if (!closed
                && canBeName(credentials.username())
                && faultOf(credentials.password()).isEmpty()) {
            calls.run(() -> {
                directory.tryAsNobody();
                return name;
            });
        }
    }

    @Override
    public Optional<Verdict> account(String subjectId) {
        return closed || !canBeName(subjectId) ? Optional.empty() : calls.run(() -> directory.account(subjectId));
    }

    @Override
    public void close() {
        closed = true;
        calls.close();
        directory.close();
    }

    /** Logs one line at the start, and reports the outage, if a check of the directory fails. The service still starts. */
    void logConnection() {
        try {
            calls.run(() -> {
                directory.check();
                return name;
            });
        } catch (AuthUnavailableException e) {
            environment.reportOutage();
            LOG.warn("{}. Its logins are refused until it does", e.getMessage(), e.getCause());
        }
    }

    /**
     * Callers can send very long or malformed names. No directory has such a name, so the name may belong to another
     * plugin.
     */
    private static boolean canBeName(String name) {
        return !name.isBlank()
                && name.length() <= MAX_NAME_CHARS
                && name.chars().noneMatch(Character::isISOControl)
                && StandardCharsets.UTF_8.newEncoder().canEncode(name);
    }

    /**
     * Servers answer success to a bind without a password, which is not a login (RFC 4513 section 5.1.2). Some servers
     * stop reading at a NUL, so a prefix of the sent password would be enough.
     */
    private static Optional<Rejected> faultOf(Secret password) {
        if (password.length() == 0) {
            return Optional.of(Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("empty_password"));
        }
        if (password.length() > MAX_PASSWORD_BYTES) {
            return Optional.of(Rejected.because(RejectionReason.MALFORMED).withDetail("too_long"));
        }
        boolean hasNul = password.<Boolean>withBytes(bytes -> {
            boolean found = false;
            for (byte each : bytes) {
                found |= each == 0;
            }
            return found;
        });
        return hasNul ? Optional.of(Rejected.because(RejectionReason.MALFORMED).withDetail("nul")) : Optional.empty();
    }
}
