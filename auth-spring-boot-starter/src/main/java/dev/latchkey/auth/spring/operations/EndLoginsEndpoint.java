package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.account.LoginControl;
import java.time.InstantSource;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.lang.Nullable;

/** The actuator's endpoint {@code latchkeylogout}: ends one session by its id, or the sessions of an account: all, or those of a device. */
@Endpoint(id = "latchkeylogout", defaultAccess = Access.READ_ONLY)
final class EndLoginsEndpoint {

    private final Operator operator;
    private final InstantSource clock;

    EndLoginsEndpoint(Operator operator, InstantSource clock) {
        this.operator = operator;
        this.clock = clock;
    }

    /** Takes either an account or a session id; a device may stand beside an account. */
    @WriteOperation
    Map<String, Object> end(
            SecurityContext caller, @Nullable String account, @Nullable String login, @Nullable String device) {
        if ((account == null) == (login == null) || (device != null && account == null)) {
            throw Operator.refused("Write either 'login', or 'account' with or without 'device'");
        }
        if (device != null) {
            return operator.change(caller, "end-logins-of-device", () -> ofDevice(String.valueOf(account), device));
        }
        return login == null
                ? operator.change(caller, "end-logins", () -> all(String.valueOf(account)))
                : operator.change(caller, "end-login", () -> one(login));
    }

    private Map<String, Object> all(String account) {
        return Map.of("account", account, Operator.LOGINS, endAll(account));
    }

    /** A service without refresh tokens keeps no sessions, and still revokes all credentials of the account. */
    private int endAll(String account) {
        if (!operator.all(LoginControl.class).isEmpty()) {
            return operator.logins().endAll(account);
        }
        operator.all(AuthChain.class).forEach(chain -> chain.revokeAll(account, clock.instant()));
        return 0;
    }

    private Map<String, Object> ofDevice(String account, String device) {
        return Map.of("account", account, Operator.LOGINS, operator.logins().endOfDevice(account, device));
    }

    private Map<String, Object> one(String id) {
        String account = operator.logins().end(id).orElseThrow(() -> Operator.refused("There is no login of this id"));
        return Map.of("account", account, Operator.LOGINS, 1);
    }
}
