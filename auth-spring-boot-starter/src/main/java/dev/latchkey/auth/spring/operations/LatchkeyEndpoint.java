package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.jwt.KeyRing;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.token.SigningKeyRotation;
import java.security.Principal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.lang.Nullable;

/**
 * The actuator's endpoint {@code latchkey}: what Latchkey is doing, and what an operator may change while it runs.
 *
 * <p>Reading is what its access allows by default; {@code management.endpoint.latchkey.access=unrestricted} allows changes as
 * well, each of which goes to the audit with the name of who asked for it, or as {@code jmx}. The name of an account is taken from the body and
 * not from the path: paths end up in access logs.
 */
@Endpoint(id = "latchkey", defaultAccess = Access.READ_ONLY)
final class LatchkeyEndpoint {

    static final String AUDIT_TYPE = "LATCHKEY_CHANGE";

    private static final String LOGINS = "logins";

    private final ListableBeanFactory beans;
    private final ApplicationEventPublisher events;
    private final InstantSource clock;

    LatchkeyEndpoint(ListableBeanFactory beans, ApplicationEventPublisher events, InstantSource clock) {
        this.beans = beans;
        this.events = events;
        this.clock = clock;
    }

    @ReadOperation
    LatchkeyReport status() {
        return new LatchkeyReport(
                beans.getBeanProvider(AuthChain.class).stream()
                        .flatMap(chain -> chain.pluginNames().stream())
                        .toList(),
                beans.getBeanProvider(RotatingKeys.class).stream()
                        .flatMap(keys -> keysOf(keys.ring()).stream())
                        .toList(),
                each(CredentialCache.class, cache -> LatchkeyReport.Cache.of(cache.stats())),
                each(HashingPermits.class, pool -> LatchkeyReport.Hashing.of(pool.stats())),
                each(LoginLimits.class, LatchkeyReport.Limits::of));
    }

    /**
     * Changes something: {@code evict} the cached credentials of an {@code account}; {@code limit} the failed logins of one
     * {@code bucket}, in its {@code window} of that number;
     * {@code rotate} to the signing keys that the key files hold now; {@code rotate-and-drop} to those alone, which makes the tokens
     * of all earlier keys worthless; {@code list-logins} shows those of an {@code account}, {@code end-login} ends the {@code login} of an
     * id, and {@code end-logins} all of an {@code account}. The list changes nothing, and is as private as what it holds.
     */
    @WriteOperation
    Map<String, Object> change(
            SecurityContext caller,
            @Selector String what,
            @Nullable String account,
            @Nullable String login,
            @Nullable String bucket,
            @Nullable Integer window,
            @Nullable Long tokens,
            @Nullable Duration per) {
        String name = nameOf(caller);
        Map<String, Object> done = Changing.by(name, () -> switch (what) {
            case "evict" -> evict(required("account", account));
            case "rotate" -> rotate(SigningKeyRotation::reload);
            case "rotate-and-drop" -> rotate(SigningKeyRotation::reloadAndDrop);
            case "list-logins" -> logins(required("account", account));
            case "end-login" -> endLogin(required("login", login));
            case "end-logins" -> endLogins(required("account", account));
            case "limit" -> limit(required("bucket", bucket), window, required("tokens", tokens), required("per", per));
            default ->
                throw refused("There is no such change; there are: end-login, end-logins, evict, limit, list-logins, "
                        + "rotate, rotate-and-drop");
        });
        audit(name, what, done);
        return done;
    }

    private Map<String, Object> evict(String account) {
        List<String> hashes = beans.getBeanProvider(EndpointConfiguration.StoredHashes.class).stream()
                .flatMap(stored -> stored.of(account).stream())
                .toList();
        int entries = 0;
        for (CredentialCache cache : beans.getBeansOfType(CredentialCache.class).values()) {
            entries += cache.evictUsername(account);
            for (String hash : hashes) {
                entries += cache.evictStoredHash(hash);
            }
        }
        return Map.of("account", account, "entries", entries);
    }

    private Map<String, Object> logins(String account) {
        return Map.of("account", account, LOGINS, loginChanges().list(account));
    }

    private Map<String, Object> endLogin(String id) {
        String account = loginChanges().end(id).orElseThrow(() -> refused("There is no login of this id"));
        return Map.of("account", account, LOGINS, 1);
    }

    private Map<String, Object> endLogins(String account) {
        return Map.of("account", account, LOGINS, loginChanges().endAll(account));
    }

    private LoginChanges loginChanges() {
        AccountLogins logins =
                unique(AccountLogins.class, "No logins are kept: latchkey.login.refresh.enabled is not true");
        return new LoginChanges(
                logins, beans.getBeanProvider(AuthChain.class).stream().toList(), clock);
    }

    /**
     * Keys come from the files alone: a key in a request would be in whatever logs requests, and a key that was made up here would be on no other
     * node.
     */
    private Map<String, Object> rotate(Function<SigningKeyRotation, SigningKeyRotation.Outcome> operation) {
        SigningKeyRotation rotation = unique(SigningKeyRotation.class, "There is no signing key");
        return switch (operation.apply(rotation)) {
            case ROTATED -> Map.of("rotation", "rotated");
            case DROPPED -> Map.of("rotation", "dropped");
            case UNCHANGED -> Map.of("rotation", "unchanged");
            case REFUSED -> throw refused("A key file cannot be used, as the log says; the keys stay as they are");
            case NO_FILE -> throw refused("The signing key comes from no file: set latchkey.jwt.secret-file");
        };
    }

    private Map<String, Object> limit(String name, @Nullable Integer window, long tokens, Duration per) {
        LoginLimits limits = unique(LoginLimits.class, "There are no login limits, or several");
        return orRefused(() -> LimitChanges.limit(limits, name, window, tokens, per));
    }

    private static Map<String, Object> orRefused(Supplier<Map<String, Object>> change) {
        try {
            return change.get();
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    /** For calls by JMX Boot has this one context. A web server has another one, with or without a name. */
    private static String nameOf(SecurityContext caller) {
        Principal principal = caller.getPrincipal();
        if (principal != null) {
            return principal.getName();
        }
        return SecurityContext.NONE.equals(caller) ? Changing.BY_JMX : "";
    }

    private void audit(String caller, String what, Map<String, Object> done) {
        Map<String, Object> data = new TreeMap<>(done);
        // Who was shown whose logins is kept, and not where these were.
        data.computeIfPresent(LOGINS, (name, logins) -> logins instanceof List<?> list ? list.size() : logins);
        data.put("change", what);
        events.publishEvent(new AuditApplicationEvent(caller, AUDIT_TYPE, data));
    }

    private static List<LatchkeyReport.Key> keysOf(KeyRing ring) {
        return ring.entries().stream()
                .map(entry -> LatchkeyReport.Key.of(entry, ring))
                .toList();
    }

    private <B> B unique(Class<B> type, String otherwise) {
        B bean = beans.getBeanProvider(type).getIfUnique();
        if (bean == null) {
            throw refused(otherwise);
        }
        return bean;
    }

    private <B, R> Map<String, R> each(Class<B> type, Function<B, R> report) {
        Map<String, R> reports = new TreeMap<>();
        beans.getBeansOfType(type).forEach((name, bean) -> reports.put(name, report.apply(bean)));
        return reports;
    }

    private static <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw refused("The parameter '" + name + "' is missing");
        }
        return value;
    }

    private static InvalidEndpointRequestException refused(String reason) {
        return new InvalidEndpointRequestException(reason, reason);
    }
}
