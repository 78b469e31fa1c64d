package dev.latchkey.auth.spring.operations;

import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator's endpoint {@code latchkeylogins}: lists an account's sessions. The list is a write operation, since the list is
 * private and a path with the account's name would end up in access logs.
 */
@Endpoint(id = "latchkeylogins", defaultAccess = Access.READ_ONLY)
final class LoginsEndpoint {

    private final Operator operator;
    private final Supplier<LoginChanges> logins;

    LoginsEndpoint(Operator operator, Supplier<LoginChanges> logins) {
        this.operator = operator;
        this.logins = logins;
    }

    @WriteOperation
    Map<String, Object> list(SecurityContext caller, String account) {
        return operator.change(
                caller,
                "list-logins",
                () -> Map.of("account", account, Operator.LOGINS, logins.get().list(account)));
    }
}
