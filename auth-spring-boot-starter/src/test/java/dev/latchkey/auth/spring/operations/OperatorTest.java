package dev.latchkey.auth.spring.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;

class OperatorTest {

    private final List<Object> events = new ArrayList<>();
    private final Operator operator = new Operator(new StaticListableBeanFactory(), events::add);

    /** The store may have done the change, and failed only to answer. */
    @Test
    void changeThatFails_isInTheAuditAsFailed() {
        AuthUnavailableException outage = AuthUnavailableException.outage("no answer in time");
        assertThatThrownBy(() -> change(() -> {
                    throw outage;
                }))
                .isSameAs(outage);
        assertThat(events).singleElement().isInstanceOfSatisfying(AuditApplicationEvent.class, event -> {
            assertThat(event.getAuditEvent().getPrincipal()).isEqualTo(Operator.BY_JMX);
            assertThat(event.getAuditEvent().getType()).isEqualTo(Operator.AUDIT_TYPE);
            assertThat(event.getAuditEvent().getData()).isEqualTo(Map.of("change", "end-logins", "outcome", "failed"));
        });
    }

    @Test
    void refusedChange_isNotInTheAudit() {
        assertThatThrownBy(() -> change(() -> {
                    throw new IllegalArgumentException("no such account");
                }))
                .isInstanceOf(InvalidEndpointRequestException.class);
        assertThat(events).isEmpty();
    }

    private void change(Supplier<Map<String, Object>> change) {
        operator.change(SecurityContext.NONE, "end-logins", change);
    }
}
