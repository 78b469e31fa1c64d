package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.account.LoginListener.Cause;
import dev.latchkey.auth.store.StoredLogin;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an operator does with the logins of an account, whichever plugins have one of its name. */
final class LoginChanges {

    private final AccountLogins logins;
    private final List<AuthChain> chains;
    private final InstantSource clock;

    LoginChanges(AccountLogins logins, List<AuthChain> chains, InstantSource clock) {
        this.logins = logins;
        this.chains = chains;
        this.clock = clock;
    }

    /** Refuses the change where no logins are kept. */
    static LoginChanges of(Operator operator, InstantSource clock) {
        AccountLogins logins =
                operator.unique(AccountLogins.class, "No logins are kept: latchkey.login.refresh.enabled is not true");
        return new LoginChanges(logins, operator.all(AuthChain.class), clock);
    }

    /** What is known of each login of the account, the newest of each plugin first. */
    List<Map<String, Object>> list(String account) {
        return of(account).stream().map(LoginChanges::described).toList();
    }

    /** Ends a login, and says whose it was; empty where there is none of this id. */
    Optional<String> end(String id) {
        Optional<StoredLogin> login = logins.find(id);
        login.ifPresent(this::end);
        return login.map(StoredLogin::subjectId);
    }

    /**
     * Ends all, and revokes what was issued to the account without a login that is kept.
     *
     * @return how many were kept
     */
    int endAll(String account) {
        List<StoredLogin> kept = of(account);
        // First where tokens are looked up: a chain whose plugins read none would leave them good.
        logins.revokeAll(account);
        chains.forEach(chain -> chain.revokeAll(account, clock.instant()));
        kept.forEach(this::end);
        return kept.size();
    }

    private void end(StoredLogin login) {
        logins.end(login.id(), login.subjectId(), Cause.OPERATOR);
    }

    private List<StoredLogin> of(String account) {
        List<StoredLogin> all = new ArrayList<>();
        for (AuthChain chain : chains) {
            for (String plugin : chain.pluginNames()) {
                all.addAll(logins.of(new StoredLogin.Owner(plugin, account)));
            }
        }
        return all;
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
