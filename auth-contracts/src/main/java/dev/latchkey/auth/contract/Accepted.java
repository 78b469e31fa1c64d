package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.fail;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;

/** Whether a source accepts credentials read or revoked by another role. */
final class Accepted {

    private Accepted() {}

    static LoginSource<?> sourceIn(AuthPlugin plugin, String method) {
        return plugin instanceof LoginSource<?> source
                ? source
                : fail(plugin.getClass().getName() + " is no LoginSource: override " + method);
    }

    /** Credentials of another kind than the source's are not accepted. */
    static boolean by(LoginSource<?> source, String input, Credentials credentials) throws Exception {
        if (!source.kind().isInstance(credentials)) {
            return false;
        }
        Decision decision = Calls.answer(input, () -> LoginSourceContract.decide(source, credentials));
        return LoginSourceContract.letsIn(decision);
    }
}
