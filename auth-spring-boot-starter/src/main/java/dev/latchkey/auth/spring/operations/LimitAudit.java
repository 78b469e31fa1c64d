package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardListener;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/**
 * Audits each change of a limit: by the actuator, by JMX, or by code of the service. The audit names the authenticated caller of
 * the thread or of the actuator, {@code jmx} for JMX, and otherwise no caller.
 */
final class LimitAudit implements GuardListener {

    static final String TYPE = "LATCHKEY_LIMIT_CHANGED";

    private final ApplicationEventPublisher events;
    private final Supplier<SecurityContextHolderStrategy> holder;

    /**
     * @param holder the service's holder of security contexts
     */
    LimitAudit(ApplicationEventPublisher events, Supplier<SecurityContextHolderStrategy> holder) {
        this.events = events;
        this.holder = holder;
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

    private String principal() {
        Authentication caller = holder.get().getContext().getAuthentication();
        return caller == null ? Operator.present() : caller.getName();
    }
}
