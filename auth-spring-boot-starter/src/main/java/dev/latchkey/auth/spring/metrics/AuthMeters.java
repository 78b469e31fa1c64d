package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.AuthListener;
import dev.latchkey.auth.jwt.JwtDefect;
import dev.latchkey.auth.spring.account.LoginListener;
import dev.latchkey.auth.spring.token.TokenListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * Counts decisions of the chain, ends of sessions, and defects of tokens that a decoder checked without the chain.
 *
 * <p>No tag value comes from a request: no account, client IP or permission. The meters bind to each registry by themselves,
 * since a condition on the registry's bean does not work on every line of Boot. Thread-safe.
 */
final class AuthMeters implements AuthListener, LoginListener, TokenListener, MeterBinder {

    static final String LOGINS = "latchkey.logins";
    static final String ENDED = "latchkey.logins.ended";
    static final String REFUSED = "latchkey.logins.refused";
    static final String TOKENS = "latchkey.tokens";
    static final String ACCESS = "latchkey.access";
    static final String REVOCATIONS = "latchkey.revocations";

    static final String REJECTIONS = "latchkey.logins.rejected";
    static final String EVENTS = "latchkey.plugin.events";

    private static final Set<String> DEFECTS =
            Arrays.stream(JwtDefect.values()).map(JwtDefect::code).collect(Collectors.toUnmodifiableSet());

    private final BoundedCodes details = new BoundedCodes();
    private final BoundedCodes events = new BoundedCodes();
    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
    }

    @Override
    public void on(AuthEvent event) {
        if (event instanceof AuthEvent.Decided decided) {
            count(LOGINS, AuthTags.of(decided));
            if (decided.verdict() instanceof Rejected rejected
                    && !rejected.detail().isEmpty()) {
                count(REJECTIONS, rejection(decided.plugin(), rejected));
            }
            if (decided.kind() == BearerToken.class) {
                checked(defectOf(decided.verdict()));
            }
        } else if (event instanceof AuthEvent.Unavailable unavailable) {
            count(LOGINS, AuthTags.of(unavailable));
        } else if (event instanceof AuthEvent.Failed failed) {
            count(LOGINS, AuthTags.of(failed));
        } else if (event instanceof AuthEvent.AccessDecided access) {
            count(ACCESS, AuthTags.ofAccess(access.plugin(), access.granted() ? "granted" : "denied"));
        } else if (event instanceof AuthEvent.AccessUnavailable access) {
            count(ACCESS, AuthTags.ofAccess(access.plugin(), "unavailable"));
        } else if (event instanceof AuthEvent.AccessFailed access) {
            count(ACCESS, AuthTags.ofAccess(access.plugin(), "failed"));
        } else if (event instanceof AuthEvent.Revoked) {
            count(REVOCATIONS, Tags.of("scope", "credentials"));
        } else if (event instanceof AuthEvent.SubjectRevoked) {
            count(REVOCATIONS, Tags.of("scope", "subject"));
        } else if (event instanceof AuthEvent.Counted counted) {
            count(
                    EVENTS,
                    Tags.of("plugin", counted.plugin(), "event", events.bounded(counted.plugin(), counted.event())));
        }
    }

    private Tags rejection(String plugin, Rejected rejected) {
        return Tags.of(
                "plugin",
                AuthTags.orNone(plugin),
                "reason",
                rejected.reason().code(),
                "detail",
                details.bounded(plugin, rejected.detail()));
    }

    @Override
    public void ended(String subjectId, Cause cause) {
        count(ENDED, Tags.of("cause", cause.name().toLowerCase(Locale.ROOT)));
    }

    @Override
    public void refused(String subjectId) {
        count(REFUSED, Tags.empty());
    }

    @Override
    public void checked(String defect) {
        count(TOKENS, Tags.of("defect", defect));
    }

    /** A third-party plugin may return any detail. Only known details become tag values. */
    private static String defectOf(Verdict verdict) {
        if (!(verdict instanceof Rejected rejected)) {
            return NO_DEFECT;
        }
        return DEFECTS.contains(rejected.detail())
                ? rejected.detail()
                : rejected.reason().code();
    }

    private void count(String name, Tags tags) {
        for (MeterRegistry registry : registries) {
            registry.counter(name, tags).increment();
        }
    }
}
