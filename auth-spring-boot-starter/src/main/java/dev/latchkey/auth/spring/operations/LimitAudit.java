package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardListener;
import java.util.Map;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Has every change of a limit audited, whether it came by the actuator, by JMX or by code of the service: under the name that is
 * logged in on the thread that made it, or under none.
 */
final class LimitAudit implements GuardListener {

    static final String TYPE = "LATCHKEY_LIMIT_CHANGED";

    private final ApplicationEventPublisher events;

    LimitAudit(ApplicationEventPublisher events) {
        this.events = events;
    }

    @Override
    public void on(GuardEvent event) {
        if (event instanceof GuardEvent.LimitChanged changed) {
            events.publishEvent(new AuditApplicationEvent(
                    principal(),
                    TYPE,
                    Map.of("limit", changed.limit(), "before", changed.before(), "after", changed.after())));
        }
    }

    private static String principal() {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        return caller == null ? "" : caller.getName();
    }
}
