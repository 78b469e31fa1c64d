package dev.latchkey.auth.spring.operations;

import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.lang.Nullable;

/** The actuator's endpoint {@code latchkeylogout}: ends one login by its id, or all logins of an account. */
@Endpoint(id = "latchkeylogout", defaultAccess = Access.READ_ONLY)
final class EndLoginsEndpoint {

    private final Operator operator;
    private final Supplier<LoginChanges> logins;

    EndLoginsEndpoint(Operator operator, Supplier<LoginChanges> logins) {
        this.operator = operator;
        this.logins = logins;
    }

    /** Takes one of both. */
    @WriteOperation
    Map<String, Object> end(SecurityContext caller, @Nullable String account, @Nullable String login) {
        if ((account == null) == (login == null)) {
            throw Operator.refused("Write either 'account' or 'login'");
        }
        return login == null
                ? operator.change(caller, "end-logins", () -> all(String.valueOf(account)))
                : operator.change(caller, "end-login", () -> one(login));
    }

    private Map<String, Object> all(String account) {
        return Map.of("account", account, Operator.LOGINS, logins.get().endAll(account));
    }

    private Map<String, Object> one(String id) {
        String account = logins.get().end(id).orElseThrow(() -> Operator.refused("There is no login of this id"));
        return Map.of("account", account, Operator.LOGINS, 1);
    }
}
