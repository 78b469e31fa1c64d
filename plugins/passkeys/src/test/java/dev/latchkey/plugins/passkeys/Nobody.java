package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;

/** The first source, without an account: the ids of later sources have the source's name. */
final class Nobody implements LoginSource<PasswordCredentials> {

    @Override
    public String name() {
        return "nobody";
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
        return Decision.abstained();
    }
}
