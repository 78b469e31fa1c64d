package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.spring.account.LoginListener;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/** Audits ended sessions under the account's name, with the cause, without session id, device or client IP. */
final class LoginAudit implements LoginListener {

    static final String ENDED = "LATCHKEY_LOGIN_ENDED";
    static final String REFUSED = "LATCHKEY_LOGIN_REFUSED";
    static final String ACTING = "LATCHKEY_ACTING";

    private final ApplicationEventPublisher events;

    LoginAudit(ApplicationEventPublisher events) {
        this.events = events;
    }

    @Override
    public void ended(String subjectId, Cause cause) {
        publish(subjectId, ENDED, cause.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public void refused(String subjectId) {
        publish(subjectId, REFUSED, "full");
    }

    @Override
    public void acting(String actorId, String subjectId) {
        events.publishEvent(new AuditApplicationEvent(actorId, ACTING, Map.of("account", subjectId)));
    }

    private void publish(String subjectId, String type, String cause) {
        events.publishEvent(new AuditApplicationEvent(subjectId, type, Map.of("cause", cause)));
    }
}
