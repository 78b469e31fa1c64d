package dev.latchkey.throttle.spring.operations;

import dev.latchkey.throttle.ThrottleEvent;
import dev.latchkey.throttle.ThrottleListener;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Has every change of a rate audited, whether it came by the actuator, by JMX or by code of the service. The audit names the caller of the actuator's
 * endpoint, or {@code jmx}; for code of the service it names the user that is logged in on the thread, if any.
 */
final class ThrottleAudit implements ThrottleListener {

    static final String TYPE = "LATCHKEY_LIMIT_CHANGED";

    /** The caller of the endpoint on this thread, for as long as one change takes: an event does not say whose change it is. */
    private static final ThreadLocal<@Nullable String> CALLER = new ThreadLocal<>();

    private final ApplicationEventPublisher events;
    private final Supplier<String> loggedIn;

    /** @param loggedIn the name of the user that is logged in on this thread; empty if none is */
    ThrottleAudit(ApplicationEventPublisher events, Supplier<String> loggedIn) {
        this.events = events;
        this.loggedIn = loggedIn;
    }

    /** Makes a change in the name of this caller. */
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
