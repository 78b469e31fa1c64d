package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.account.LoginControl;
import dev.latchkey.auth.spring.plugin.UserDetailsPlugin;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.lang.Nullable;

/**
 * The actuator endpoint {@code latchkeylogout}: ends a session by its id, all sessions of an account, or its sessions on a
 * device.
 */
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
    Object end(SecurityContext caller, @Nullable String account, @Nullable String login, @Nullable String device) {
        if (account != null && login == null) {
            if (!Subject.isId(account)) {
                throw Operator.refused("'account' must have 1 to 255 characters, without control characters");
            }
            return device == null
                    ? operator.change(caller, "end-logins", () -> all(account))
                    : operator.change(caller, "end-logins-of-device", () -> ofDevice(account, device));
        }
        return operator.change(caller, "end-login", () -> {
            if (login == null || account != null || device != null) {
                throw Operator.refused("Write either 'login', or 'account' with or without 'device'");
            }
            return one(login);
        });
    }

    private Map<String, Object> all(String account) {
        return answer(account, endAll(account));
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
        return answer(account, operator.logins().endOfDevice(account, device));
    }

    /** A misspelt account has no sessions to end either. So the answer says if no store has the account. */
    private Map<String, Object> answer(String account, int ended) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("account", account);
        answer.put(Operator.LOGINS, ended);
        if (ended == 0 && isUnknown(account)) {
            answer.put("foundInStore", false);
        }
        return answer;
    }

    /**
     * Whether no store of the service has the account in this spelling. False for a name that another source may have. False also
     * if a store fails: the sessions have already ended, so the failure does not matter.
     */
    private boolean isUnknown(String account) {
        Optional<String> ofTheService = Optional.of(UserDetailsPlugin.NAME);
        try {
            return operator.all(AuthChain.class).stream()
                            .anyMatch(chain ->
                                    chain.decidedLogins().sourceOf(account).equals(ofTheService))
                    && EndpointConfiguration.accountsOf(operator, account).stream()
                            .noneMatch(stored -> stored.name().equals(account));
        } catch (RuntimeException e) {
            return false;
        }
    }

    private Map<String, Object> one(String id) {
        String account = operator.logins().end(id).orElseThrow(() -> Operator.refused("There is no login of this id"));
        return Map.of("account", account, Operator.LOGINS, 1);
    }
}
