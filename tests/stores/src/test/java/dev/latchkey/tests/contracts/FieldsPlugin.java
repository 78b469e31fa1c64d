package dev.latchkey.tests.contracts;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.util.Map;

/** A source of credentials with their secret in a map, as an extension grant has its fields. */
final class FieldsPlugin implements LoginSource<FieldsPlugin.Fields> {

    static final Fields VALID = Fields.of("field-of-ada-1815");
    static final Fields WRONG = Fields.of("field-of-nobody-0");

    record Fields(Map<String, Secret> fields) implements Credentials {
        static Fields of(String text) {
            return new Fields(Map.of("ticket", Secret.of(text)));
        }
    }

    private volatile boolean closed;

    @Override
    public String name() {
        return "fields";
    }

    @Override
    public Class<Fields> kind() {
        return Fields.class;
    }

    @Override
    public Decision authenticate(Fields given, RequestContext context) {
        Secret ticket = given.fields().get("ticket");
        return !closed && ticket != null && ticket.matches(VALID.fields().get("ticket"))
                ? Authenticated.as(Subject.of("ada"))
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    @Override
    public void close() {
        closed = true;
    }
}
