package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.store.StoredLogin;
import java.util.LinkedHashMap;
import java.util.Map;
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

    LoginsEndpoint(Operator operator) {
        this.operator = operator;
    }

    @WriteOperation
    Object list(SecurityContext caller, String account) {
        return operator.change(
                caller,
                "list-logins",
                () -> Map.of(
                        "account",
                        account,
                        Operator.LOGINS,
                        operator.logins().of(account).stream()
                                .map(LoginsEndpoint::described)
                                .toList()));
    }

    private static Map<String, Object> described(StoredLogin login) {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("id", login.id());
        description.put("plugin", login.plugin());
        description.put("startedAt", login.startedAt().toString());
        description.put("lastUsedAt", login.lastUsedAt().toString());
        description.put("expiresAt", login.expiresAt().toString());
        if (login.device().name() != null) {
            description.put("device", login.device().name());
        }
        if (login.device().address() != null) {
            description.put("address", login.device().address());
        }
        return description;
    }
}
