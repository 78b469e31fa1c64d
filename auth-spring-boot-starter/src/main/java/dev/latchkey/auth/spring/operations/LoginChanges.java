package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.spring.account.LoginControl;
import dev.latchkey.auth.store.StoredLogin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An operator's changes of an account's sessions, over all plugins with an account of this name. */
final class LoginChanges {

    private final LoginControl logins;

    LoginChanges(LoginControl logins) {
        this.logins = logins;
    }

    /** Refuses the change where no sessions are kept. */
    static LoginChanges of(Operator operator) {
        return new LoginChanges(
                operator.unique(LoginControl.class, "No logins are kept: latchkey.login.refresh.enabled is not true"));
    }

    /** The sessions of the account, the newest of each plugin first. */
    List<Map<String, Object>> list(String account) {
        return logins.of(account).stream().map(LoginChanges::described).toList();
    }

    /** Ends a session, and returns its account; empty if no session has this id. */
    Optional<String> end(String id) {
        return logins.end(id);
    }

    /**
     * Ends all sessions, and revokes all tokens of the account.
     *
     * @return the number of sessions
     */
    int endAll(String account) {
        return logins.endAll(account);
    }

    /** Ends the sessions of a device, and returns their number. */
    int endOfDevice(String account, String device) {
        return logins.endOfDevice(account, device);
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
