package dev.latchkey.throttle.spring.operations;

import dev.latchkey.throttle.ThrottleEvent;
import dev.latchkey.throttle.ThrottleListener;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Audits every change of a rate: by the actuator, by JMX or by the service's code. The audit names the user of the
 * actuator's endpoint, or {@code jmx}. For the service's code the audit names the logged-in user of the thread, if any.
 */
final class ThrottleAudit implements ThrottleListener {

    static final String TYPE = "LATCHKEY_LIMIT_CHANGED";

    /** The user of the endpoint on this thread, during a change, because the event does not contain the user. */
    private static final ThreadLocal<@Nullable String> CALLER = new ThreadLocal<>();

    private final ApplicationEventPublisher events;
    private final Supplier<String> loggedIn;

    /** @param loggedIn the name of the logged-in user of this thread; empty without a login */
    ThrottleAudit(ApplicationEventPublisher events, Supplier<String> loggedIn) {
        this.events = events;
        this.loggedIn = loggedIn;
    }

    /** Runs a change in the name of this user. */
    static void as(String caller, Runnable change) {
        CALLER.set(caller);
        try {
            change.run();
        } finally {
            CALLER.remove();
        }
    }

    @Override
    public void on(ThrottleEvent event) {
        if (event instanceof ThrottleEvent.RateChanged changed) {
            String caller = CALLER.get();
            events.publishEvent(new AuditApplicationEvent(
                    caller == null ? loggedIn.get() : caller,
                    TYPE,
                    Map.of("limit", changed.limit(), "before", changed.before(), "after", changed.after())));
        }
    }
}
