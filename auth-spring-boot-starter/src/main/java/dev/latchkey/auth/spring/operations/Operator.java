package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.account.LoginControl;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.context.ApplicationEventPublisher;

/** Runs the changes of the actuator endpoints, over HTTP or JMX, and audits each change. */
final class Operator {

    static final String AUDIT_TYPE = "LATCHKEY_CHANGE";

    /** The caller's name for every call by JMX. JMX has no names. */
    static final String BY_JMX = "jmx";

    /** The key of the listed sessions, or of the number of ended sessions. The audit records the size of a list. */
    static final String LOGINS = "logins";

    private static final CurrentLogin.Part<String> CALLER = new CurrentLogin.Part<>();

    private final ListableBeanFactory beans;
    private final ApplicationEventPublisher events;

    Operator(ListableBeanFactory beans, ApplicationEventPublisher events) {
        this.beans = beans;
        this.events = events;
    }

    /**
     * Runs a change in the name of the caller, and audits the change. A failed change is audited too, with the outcome {@code
     * failed}. A refused change is not audited.
     *
     * @param operation the name of the change in the audit
     * @param change returns the answer
     * @return the answer; over HTTP, 400 with the reason for a refused change, because Boot answers without the reason
     * @throws InvalidEndpointRequestException by JMX, if the change is refused
     */
    Object change(SecurityContext caller, String operation, Supplier<Map<String, Object>> change) {
        try {
            return changed(nameOf(caller), operation, change);
        } catch (InvalidEndpointRequestException e) {
            if (SecurityContext.NONE.equals(caller)) {
                throw e;
            }
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("status", WebEndpointResponse.STATUS_BAD_REQUEST);
            body.put("error", "Bad Request");
            body.put("message", e.getReason());
            return new WebEndpointResponse<>(body, WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }

    private Map<String, Object> changed(String name, String operation, Supplier<Map<String, Object>> change) {
        Map<String, Object> done;
        try {
            done = CurrentLogin.here().with(CALLER, name).supply(() -> orRefused(change));
        } catch (InvalidEndpointRequestException refused) {
            throw refused;
        } catch (RuntimeException | Error e) {
            // The change may have had an effect: a store may fail after its work, or one of several stores may fail.
            audit(name, operation, Map.of("outcome", "failed"));
            throw e;
        }
        audit(name, operation, done);
        return done;
    }

    private void audit(String name, String operation, Map<String, Object> result) {
        Map<String, Object> data = new TreeMap<>(result);
        data.computeIfPresent(LOGINS, (key, logins) -> logins instanceof List<?> list ? list.size() : logins);
        data.put("change", operation);
        events.publishEvent(new AuditApplicationEvent(name, AUDIT_TYPE, data));
    }

    private static Map<String, Object> orRefused(Supplier<Map<String, Object>> change) {
        try {
            return change.get();
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    /** The caller's name for the present change on this thread; empty outside a change. */
    static String present() {
        return Objects.requireNonNullElse(CurrentLogin.here().get(CALLER), "");
    }

    /** The sessions of all accounts. In a service without sessions, the change is refused. */
    LoginControl logins() {
        return unique(LoginControl.class, "No logins are kept: latchkey.login.refresh.enabled is not true");
    }

    /** The only bean of this type; otherwise the change is refused with this reason. */
    <B> B unique(Class<B> type, String otherwise) {
        B bean = beans.getBeanProvider(type).getIfUnique();
        if (bean == null) {
            throw refused(otherwise);
        }
        return bean;
    }

    <B> List<B> all(Class<B> type) {
        return beans.getBeanProvider(type).stream().toList();
    }

    static InvalidEndpointRequestException refused(String reason) {
        return new InvalidEndpointRequestException(reason, reason);
    }

    /**
     * Boot passes {@link SecurityContext#NONE} for calls by JMX, and on WebFlux without Spring Security. For other HTTP calls,
     * Boot passes another context, with or without a name.
     */
    private static String nameOf(SecurityContext caller) {
        Principal principal = caller.getPrincipal();
        if (principal != null) {
            return principal.getName();
        }
        return SecurityContext.NONE.equals(caller) ? BY_JMX : "";
    }
}
